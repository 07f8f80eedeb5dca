/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The AT86RF233 on its bus.
 *
 * The bus is the radio's alone, so its port is used directly. Two bytes are exchanged in fewer
 * cycles than it takes to start a transfer by DMA and to serve its interrupt. The pieces of a
 * packet follow one another, each started by the interrupt at the end of the one before.
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
    /* A packet of 125 bytes has at most so many pieces: a block without bytes may come first, and
     * the first and the last one may be partly filled. */
    PIECES_MAX = 2 + (PACKET_FRAME_BYTES + PACKET_BLOCK_ROOM - 1) / PACKET_BLOCK_ROOM,
    BUS_HZ = 4000000, /* at most 7.5 MHz (data sheet, "Digital Interface Timing Characteristics") */
};

static uint8_t status; /* at the beginning of the last access */

/* What is being moved. While it is active, the interrupts own it, before and after the kernel level
 * does. */
static struct {
    volatile bool is_active;
    bool has_failed;
    bool is_written; /* to the radio */
    uint8_t pieces;  /* that are left */
    const struct packet_piece *next;
    struct packet_piece list[PIECES_MAX];
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
/* The end of the piece may interrupt at once. */
static void move_piece(void)
{
    const struct packet_piece *piece = moving.next++;

    moving.pieces--;
    if (moving.is_written) {
        spi_port_move(at86rf233_wiring.port, piece->bytes, 0, piece->length);
    } else {
        spi_port_move(at86rf233_wiring.port, 0, piece->bytes, piece->length);
    }
}

static void move(packet_t packet, bool is_written)
{
    moving.is_written = is_written;
    moving.pieces = packet_gather(packet, 0, moving.list, PIECES_MAX);
    moving.next = moving.list;
    moving_limit = CHIP_SLEEP_MOVING + 1u; /* the kernel looks at it after this event */
    moving.is_active = true;
    move_piece();
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
    } else if (moving.pieces != 0) {
        move_piece();
        return;
    }
    if (moving.is_written) {
        deselect();
    }
    moving.is_active = false;
    moving_limit = 0; /* the post has the kernel look at it */
    event_post_from(&at86rf233_step, LEVEL_DRIVER);
}

uint8_t at86rf233_access_read_length(void)
{
    return begin(READ_FRAME, 0) & PACKET_FRAME_BYTES;
}

void at86rf233_access_read_packet(packet_t packet)
{
    move(packet, false);
}

void at86rf233_access_read_no_more(void)
{
    deselect();
}

const struct access_end *at86rf233_access_read_end(void)
{
    static struct access_end end;

    spi_port_exchange(at86rf233_wiring.port, end.fcs, sizeof(end));
    deselect();
    return &end;
}

void at86rf233_access_write_packet(packet_t packet)
{
    (void)begin(WRITE_FRAME, (uint8_t)(packet_length(packet) + FCS_BYTES));
    move(packet, true);
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
