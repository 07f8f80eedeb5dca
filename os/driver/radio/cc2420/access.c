/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC2420 on its bus (data sheet, "4-wire Serial Configuration and Data Interface"). The bus is
 * the radio's alone, so its port is used directly. */
#include "driver/radio/cc2420/access.h"

#include <lichen/gpio.h>

#include "chip/spi.h"
#include "driver/radio/cc2420/registers.h"
#include "driver/radio/cc2420/wiring.h"

enum {
    BUS_HZ = 10000000, /* at most */
};

void cc2420_open(void)
{
    gpio_output(cc2420_wiring.select, true);
    gpio_output(cc2420_wiring.reset, true);
    gpio_output(cc2420_wiring.regulator, false);
    gpio_input(cc2420_wiring.fifo, GPIO_PULL_NONE);
    gpio_input(cc2420_wiring.fifop, GPIO_PULL_NONE);
    gpio_input(cc2420_wiring.cca, GPIO_PULL_NONE);
    gpio_input(cc2420_wiring.sfd, GPIO_PULL_NONE);
    spi_port_open(cc2420_wiring.port);
    spi_port_configure(cc2420_wiring.port, 0, BUS_HZ);
}

/* The first bytes of an access, in place. */
static void begin(uint8_t *bytes, uint8_t length)
{
    gpio_clear(cc2420_wiring.select);
    spi_port_exchange(cc2420_wiring.port, bytes, length);
}

void cc2420_end(void)
{
    gpio_set(cc2420_wiring.select);
}

uint8_t cc2420_strobe(uint8_t strobe)
{
    begin(&strobe, 1);
    cc2420_end();
    return strobe;
}

uint16_t cc2420_read(uint8_t address)
{
    uint8_t bytes[] = {READ | address, 0, 0};

    begin(bytes, sizeof(bytes));
    cc2420_end();
    return (uint16_t)(bytes[1] << 8 | bytes[2]);
}

void cc2420_write(uint8_t address, uint16_t value)
{
    uint8_t bytes[] = {address, (uint8_t)(value >> 8), (uint8_t)value};

    begin(bytes, sizeof(bytes));
    cc2420_end();
}

static void begin_ram(uint16_t address, uint8_t read)
{
    uint8_t bytes[] = {(uint8_t)(RAM | address),
                       (uint8_t)(address >> RAM_BANK_SHIFT << RAM_BANK_Pos | read)};

    begin(bytes, sizeof(bytes));
}

void cc2420_write_ram(uint16_t address, const uint8_t *bytes, uint8_t length)
{
    begin_ram(address, 0);
    cc2420_move_out(bytes, length);
    cc2420_end();
}

uint8_t cc2420_read_ram(uint16_t address)
{
    uint8_t byte;

    begin_ram(address, RAM_READ);
    cc2420_move_in(&byte, 1);
    cc2420_end();
    return byte;
}

uint8_t cc2420_begin_read(void)
{
    uint8_t bytes[] = {READ | RXFIFO, 0};

    begin(bytes, sizeof(bytes));
    return bytes[1];
}

void cc2420_begin_write(uint8_t length)
{
    uint8_t bytes[] = {TXFIFO, length};

    begin(bytes, sizeof(bytes));
}

void cc2420_move_in(uint8_t *bytes, uint8_t length)
{
    spi_port_move_at_once(cc2420_wiring.port, 0, bytes, length);
}

void cc2420_move_out(const uint8_t *bytes, uint8_t length)
{
    spi_port_move_at_once(cc2420_wiring.port, bytes, 0, length);
}
