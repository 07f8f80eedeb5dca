/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The AT86RF233 on its bus.
 *
 * The bus is the radio's alone, so its port is used directly. Two bytes are exchanged in fewer
 * cycles than it takes to start a transfer by DMA and to serve its interrupt.
 *
 * The radio gives its frame buffer free when it is deselected after a frame was read (data sheet,
 * "Dynamic Frame Buffer Protection"), so it stays selected from the length of a frame to its end.
 */
#include "driver/radio/at86rf233/access.h"

#include <stddef.h>

#include <lichen/error.h>
#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "chip/chip.h"
#include "chip/spi.h"
#include "driver/radio/at86rf233/air.h"
#include "driver/radio/at86rf233/driver.h"
#include "driver/radio/at86rf233/registers.h"
#include "driver/radio/at86rf233/wiring.h"

enum {
    BUS_HZ = 4000000, /* at most 7.5 MHz (data sheet, "Digital Interface Timing Characteristics") */
};

static uint8_t status; /* at the beginning of the last access */

/* What is being moved. While it is active, the interrupts own it, before and after the kernel level
 * does. */
static struct {
    volatile bool is_active;
    bool has_failed;
} moving;

POWER_LIMIT(moving_limit);

void at86rf233_access_open(void)
{
    gpio_output(at86rf233_wiring.select, true);
    spi_port_open(at86rf233_wiring.port);
    spi_port_configure(at86rf233_wiring.port, 0, BUS_HZ);
}

static void deselect(void)
{
    gpio_set(at86rf233_wiring.select);
}

/* The first two bytes of an access. Returns the second one that came in. */
static uint8_t begin(uint8_t command, uint8_t value)
{
    uint8_t bytes[] = {command, value};

    gpio_clear(at86rf233_wiring.select);
    spi_port_exchange(at86rf233_wiring.port, bytes, sizeof(bytes));
    status = bytes[0] & TRX_STATUS_Msk;
    return bytes[1];
}

uint8_t at86rf233_access_read(uint8_t address)
{
    uint8_t value = begin((uint8_t)(READ_REGISTER | address), 0);

    deselect();
    return value;
}

void at86rf233_access_write(uint8_t address, uint8_t value)
{
    (void)begin((uint8_t)(WRITE_REGISTER | address), value);
    deselect();
}

uint8_t at86rf233_access_status(void)
{
    return status;
}

/* ---------------------------------------------------------------- frames */
/* The end may interrupt at once. */
static void move(const uint8_t *out, uint8_t *in, uint8_t length)
{
    moving_limit = CHIP_SLEEP_MOVING + 1u; /* the kernel looks at it after this event */
    moving.is_active = true;
    spi_port_move(at86rf233_wiring.port, out, in, length);
}

void at86rf233_interrupt(void)
{
    unsigned pending = spi_port_pending(at86rf233_wiring.port);

    if (!moving.is_active || pending == 0) {
        return;
    }
    if (pending & SPI_FAULT) {
        spi_port_stop(at86rf233_wiring.port);
        moving.has_failed = true;
    }
    deselect();
    moving.is_active = false;
    moving_limit = 0; /* the post has the kernel look at it */
    event_post_from(&at86rf233_step, LEVEL_DRIVER);
}

uint8_t at86rf233_access_read_length(void)
{
    return begin(READ_FRAME, 0) & PACKET_FRAME_BYTES;
}

void at86rf233_access_read_bytes(uint8_t *bytes, uint8_t length)
{
    move(0, bytes, length);
}

void at86rf233_access_read_no_more(void)
{
    deselect();
}

void at86rf233_access_write_bytes(const uint8_t *bytes, uint8_t length)
{
    (void)begin(WRITE_FRAME, (uint8_t)(length + FCS_BYTES));
    move(bytes, 0, length);
}

bool at86rf233_access_is_active(void)
{
    return moving.is_active;
}

bool at86rf233_access_has_failed(void)
{
    bool has_failed = moving.has_failed;

    moving.has_failed = false;
    return has_failed;
}

void at86rf233_access_stop(void)
{
    if (moving.is_active) {
        moving.is_active = false;
        spi_port_stop(at86rf233_wiring.port);
        power_unlimit(&moving_limit);
    }
    deselect();
}
