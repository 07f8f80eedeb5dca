/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "port.h"

#include <lichen/gpio.h>

#include "chip/spi.h"
#include "driver/spi/wiring.h"
#include "played_interrupt.h"

struct spi_port {
    uint8_t unused;
};
static const ARCH_FLASH struct spi_port port_of_bus = {0};

SPI_BUS(port_bus, port_of_bus);

const struct spi_device port_devices[2] = {
    {.bus = &port_bus, .hz = 1000000, .select = GPIO_PIN('A', 6), .mode = 0},
    {.bus = &port_bus, .hz = 250000, .select = GPIO_PIN('A', 7), .mode = 3},
};

/* Written at the kernel level and in the port's interrupt: `is_moving` last where a piece begins,
 * and first where it is broken off. */
static struct {
    volatile bool is_moving;
    bool answers_at_once;
    volatile uint8_t answer; /* how the piece is to end; written at any level */
    volatile uint8_t conditions;
    uint8_t transfer; /* whose piece was the last one */
    uint8_t *in;
    uint32_t hz;
    uint8_t mode;
    uint8_t numbers;
} port;

struct port_record port_records[PORT_TRANSFERS];
uint8_t port_out[PORT_TRANSFERS][PORT_BYTES], port_in[PORT_TRANSFERS][PORT_BYTES];

void port_prepare(bool answers_at_once)
{
    played_interrupt_enable();
    spi_open(&port_devices[0]);
    spi_open(&port_devices[1]);
    port.is_moving = false;
    port.answer = PORT_IS_BUSY;
    port.answers_at_once = answers_at_once;
    port.conditions = 0;
    port.numbers = 0;
    for (unsigned transfer = 0; transfer < PORT_TRANSFERS; transfer++) {
        port_records[transfer] = (struct port_record){.said = PORT_SAYS_NOTHING};
        for (unsigned index = 0; index < PORT_BYTES; index++) {
            port_out[transfer][index] = port_out_byte(transfer, index);
            port_in[transfer][index] = 0;
        }
    }
}

static void end_piece(enum port_answer answer)
{
    struct port_record *record = &port_records[port.transfer];

    port.is_moving = false;
    if (answer == PORT_FAILS) {
        port.conditions = SPI_FAULT;
        record->said = ERR_IO;
        return;
    }
    for (unsigned index = 0; port.in != 0 && index < PORT_BYTES; index++) {
        port.in[index] = port_in_byte(port.transfer, index);
    }
    record->received = port.in != 0 ? PORT_BYTES : 0;
    if (record->sent == PORT_BYTES && record->received == PORT_BYTES) {
        record->said = 0;
    }
    port.conditions = SPI_ENDED;
}

PLAYED_INTERRUPT()
{
    uint8_t answer = port.answer;

    port.answer = PORT_IS_BUSY;
    if (answer != PORT_IS_BUSY && port.is_moving) {
        end_piece(answer);
    }
    spi_interrupt(&port_bus);
}

void port_answer(enum port_answer answer)
{
    if (port.is_moving) {
        port.answer = (uint8_t)answer;
    }
    played_interrupt();
}

/* -------- what the driver calls */

void spi_port_open(const ARCH_FLASH struct spi_port *which __attribute__((unused)))
{
}

bool spi_port_is_possible(const ARCH_FLASH struct spi_port *which __attribute__((unused)),
                          uint32_t hz)
{
    return hz >= port_devices[1].hz;
}

void spi_port_configure(const ARCH_FLASH struct spi_port *which __attribute__((unused)),
                        uint8_t mode, uint32_t hz)
{
    force_expect(!port.is_moving);
    port.mode = mode;
    port.hz = hz;
}

/* The transfer whose bytes these are. */
static unsigned transfer_of(const uint8_t *out, const uint8_t *in)
{
    const uint8_t *of = out != 0 ? out : in;
    const uint8_t *all = out != 0 ? port_out[0] : port_in[0];

    return (unsigned)(of - all) / PORT_BYTES;
}

/* The device is selected, and no other one. */
static void check_device(const struct spi_device *device)
{
    force_expect(port.hz == device->hz && port.mode == device->mode);
    for (unsigned index = 0; index < 2; index++) {
        bool is_this = &port_devices[index] == device;
        force_expect(gpio_read(port_devices[index].select) == !is_this);
    }
}

static void check_sent(struct port_record *record, unsigned transfer, const uint8_t *out)
{
    force_expect(record->sent == 0);
    for (unsigned index = 0; index < PORT_BYTES; index++) {
        force_expect(out[index] == port_out_byte(transfer, index));
    }
    record->sent = PORT_BYTES;
}

void spi_port_move(const ARCH_FLASH struct spi_port *which __attribute__((unused)),
                   const uint8_t *out, uint8_t *in, size_t length)
{
    unsigned transfer = transfer_of(out, in);
    struct port_record *record = &port_records[transfer];

    force_expect(!port.is_moving && length == PORT_BYTES);
    force_expect(record->received == 0);
    check_device(port_device(transfer));
    if (record->number == 0) {
        record->number = ++port.numbers;
    } else {
        force_expect(port.transfer == transfer);
    }
    if (out != 0) {
        check_sent(record, transfer, out);
    }
    port.transfer = (uint8_t)transfer;
    port.in = in;
    port.conditions = 0;
    port.is_moving = true;
    if (port.answers_at_once) {
        port_answer(PORT_HAS_MOVED);
    }
}

unsigned spi_port_pending(const ARCH_FLASH struct spi_port *which __attribute__((unused)))
{
    unsigned conditions = port.conditions;

    port.conditions = 0;
    return conditions;
}

void spi_port_stop(const ARCH_FLASH struct spi_port *which __attribute__((unused)))
{
    port.is_moving = false;
    port.conditions = 0;
}
