/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* SPI buses: transfers that take turns, and blocking calls, each of which is a transfer.
 *
 * Transfers of a bus wait in a list; the first one is under way. What is left of it is in the bus,
 * set at the kernel level; from then on the interrupt moves one piece after the other, until it has
 * ended the transfer and posts the bus's event.
 */
#include <lichen/spi.h>

#include <lichen/event.h>
#include <lichen/gpio.h>
#include <lichen/interrupt.h>
#include <lichen/syscall.h>

#include "chip/chip.h"
#include "chip/spi.h"
#include "driver/spi/wiring.h"

enum {
    LAST_MODE = 3,
};

void spi_bus_open(struct spi_bus *bus)
{
    spi_port_open(bus->port);
}

void spi_open(const struct spi_device *device)
{
    gpio_output(device->select, true);
}

/* Moves the next piece. Returns false if there is none. */
static bool move(struct spi_bus *bus)
{
    if (bus->left == 0) {
        bus->out = 0;
        bus->in = bus->then_in;
        bus->left = bus->then_left;
        bus->then_left = 0;
    }
    if (bus->left == 0) {
        return false;
    }
    size_t length = bus->left < SPI_PIECE_MAX ? bus->left : SPI_PIECE_MAX;
    const uint8_t *out = bus->out;
    uint8_t *in = bus->in;
    bus->left -= length;
    bus->out = out != 0 ? out + length : 0;
    bus->in = in != 0 ? in + length : 0;
    spi_port_move(bus->port, out, in, length);
    return true;
}

static void begin_first(struct spi_bus *bus)
{
    const struct spi_transfer *transfer = bus->first;
    const struct spi_device *device = transfer->device;

    bus->out = transfer->out;
    bus->in = transfer->at_once ? transfer->in : 0;
    bus->left = transfer->out_length;
    bus->then_in = transfer->in;
    bus->then_left = transfer->at_once ? 0 : transfer->in_length;
    bus->result = 0;
    if (bus->hz != device->hz || bus->mode != device->mode) {
        spi_port_configure(bus->port, device->mode, device->hz);
        bus->hz = device->hz;
        bus->mode = device->mode;
    }
    gpio_output(device->select, false);
    power_limit(bus->limit, CHIP_SLEEP_MOVING);
    bus->active = true;
    if (!move(bus)) {
        bus->active = false;
        event_post(bus->ended);
    }
}

/* Takes the first transfer from the list, and begins the next one. */
static struct spi_transfer *take_first(struct spi_bus *bus, int result)
{
    struct spi_transfer *transfer = bus->first;

    gpio_set(transfer->device->select);
    power_unlimit(bus->limit);
    transfer->result = (uint8_t)result;
    transfer->active = false;
    bus->first = transfer->next;
    if (bus->first != 0) {
        begin_first(bus);
    }
    return transfer;
}

void spi_ended(struct spi_bus *bus)
{
    if (bus->first == 0 || bus->active) {
        return;
    }
    int result = bus->result;
    const struct spi_transfer *transfer = take_first(bus, result);
    if (transfer->call != 0) {
        syscall_end(transfer->call, result);
    } else if (transfer->ended != 0) {
        event_post(transfer->ended);
    }
}

void spi_interrupt(struct spi_bus *bus)
{
    unsigned pending = spi_port_pending(bus->port);

    if (!bus->active || pending == 0) {
        return;
    }
    if (pending & SPI_FAULT) {
        spi_port_stop(bus->port);
        bus->result = ERR_IO;
    } else if (move(bus)) {
        return;
    }
    bus->active = false;
    event_post_from(bus->ended, LEVEL_DRIVER);
}

static int enter(void *transfer_)
{
    struct spi_transfer *transfer = transfer_;
    const struct spi_device *device = transfer->device;
    struct spi_bus *bus = device->bus;
    struct spi_transfer **link = &bus->first;

    if (transfer->active) {
        return ERR_BUSY;
    }
    if (device->mode > LAST_MODE || !spi_port_is_possible(bus->port, device->hz)) {
        return ERR_INVALID;
    }
    transfer->active = true;
    transfer->next = 0;
    while (*link != 0) {
        link = &(*link)->next;
    }
    *link = transfer;
    if (bus->first == transfer) {
        begin_first(bus);
    }
    return 0;
}

/* Nobody is told. */
static int leave(void *transfer_)
{
    struct spi_transfer *transfer = transfer_;
    struct spi_bus *bus = transfer->device->bus;
    struct spi_transfer **link = &bus->first;

    if (!transfer->active) {
        return ERR_EMPTY;
    }
    if (bus->first == transfer) {
        bus->active = false;
        spi_port_stop(bus->port);
        (void)take_first(bus, ERR_CANCELLED);
        return 0;
    }
    while (*link != transfer) {
        link = &(*link)->next;
    }
    *link = transfer->next;
    transfer->result = ERR_CANCELLED;
    transfer->active = false;
    return 0;
}

int spi_start(struct spi_transfer *transfer)
{
    return kernel_run(enter, transfer);
}

int spi_cancel(struct spi_transfer *transfer)
{
    return kernel_run(leave, transfer);
}

/* A thread's transfer. */
struct blocking {
    struct syscall syscall;
    struct spi_transfer transfer;
};

/* The thread ends. */
static void abandon(struct syscall *call)
{
    (void)leave(&((struct blocking *)(void *)call)->transfer);
}

static int wait(void *call_)
{
    struct blocking *call = call_;
    int error = enter(&call->transfer);

    if (error != 0) {
        return error;
    }
    call->syscall.cancel = abandon;
    return syscall_wait(&call->syscall);
}

static int run(struct blocking *call, const struct spi_device *device, const void *out, void *in)
{
    call->transfer.device = device;
    call->transfer.out = out;
    call->transfer.in = in;
    call->transfer.active = false;
    call->transfer.call = &call->syscall;
    return syscall_run(wait, &call->syscall);
}

int spi_write_read(const struct spi_device *device, const void *out, size_t out_length, void *in,
                   size_t in_length)
{
    struct blocking call;

    call.transfer.at_once = false;
    call.transfer.out_length = out_length;
    call.transfer.in_length = in_length;
    return run(&call, device, out, in);
}

int spi_exchange(const struct spi_device *device, const void *out, void *in, size_t length)
{
    struct blocking call;

    call.transfer.at_once = true;
    call.transfer.out_length = length;
    return run(&call, device, out, in);
}
