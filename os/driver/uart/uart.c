/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The second serial port: blocking calls as lichen/syscall.h describes them, over a ring for each
 * direction. What one side of a ring does is done at the kernel level, what the other one does by
 * the interrupt.
 *
 * A writer registers for room before it fills the ring, so the interrupt cannot empty the ring
 * without posting. The limit of sleep holds from before a byte enters the ring until the interrupt
 * that reports "all sent" finds the ring empty.
 */
#include <lichen/uart.h>

#include <stdbool.h>

#include <lichen/arch.h>
#include <lichen/event.h>
#include <lichen/interrupt.h>
#include <lichen/mutex.h>
#include <lichen/power.h>
#include <lichen/syscall.h>

#include "chip/chip.h"
#include "chip/usart.h"
#include "driver/uart/ring.h"
#include "driver/uart/wiring.h"

/* The program's: UART_RINGS. */
extern struct uart_ring uart_send_ring, uart_receive_ring;

static bool is_open;
static volatile bool room_asked; /* set at the kernel level, cleared by the interrupt too */
static volatile bool has_failed; /* set by the interrupt, cleared at the kernel level */
static volatile struct uart_errors counts; /* written by the interrupt */
static struct syscall *writing;            /* the call that waits for room */
static struct syscall *reading;            /* the calls that wait for a byte */

static MUTEX(lock);
POWER_LIMIT(sending_limit);

struct write_call {
    struct syscall syscall;
    const uint8_t *bytes;
    size_t length;
};

struct read_call {
    struct syscall syscall;
    uint8_t *bytes;
    size_t size;
    size_t length;
};

struct settings {
    uint32_t baud;
    enum uart_parity parity;
};

/* Opening the port has cut off what it was sending, and it will not report the end of that. */
static void go_on_sending(void)
{
    if (uart_ring_held(&uart_send_ring) > 0) {
        usart_enable(uart_port, USART_SEND_READY);
    } else {
        power_unlimit(&sending_limit);
    }
}

static int open_port(void *settings_, void *unused)
{
    const struct settings *settings = settings_;
    enum usart_parity parity = settings->parity == UART_NO_PARITY     ? USART_NO_PARITY
                               : settings->parity == UART_EVEN_PARITY ? USART_EVEN_PARITY
                                                                      : USART_ODD_PARITY;

    (void)unused;
    if (!usart_can(settings->baud)) {
        return ERR_INVALID;
    }
    if (is_open) {
        usart_disable(uart_port, USART_SEND_READY);
        usart_disable(uart_port, USART_SENT);
    }
    usart_open(uart_port, settings->baud);
    usart_set_parity(uart_port, parity);
    is_open = true;
    go_on_sending();
    return 0;
}

int uart_open(uint32_t baud, enum uart_parity parity)
{
    struct settings settings = {.baud = baud, .parity = parity};

    return arch_kernel_run(&settings, 0, open_port);
}

/* Returns whether all has fitted. */
static bool push_all(struct write_call *call)
{
    room_asked = true;
    while (call->length > 0 && uart_ring_put(&uart_send_ring, *call->bytes)) {
        call->bytes++;
        call->length--;
    }
    if (uart_ring_held(&uart_send_ring) > 0) {
        power_limit(&sending_limit, CHIP_SLEEP_SENDING);
        usart_enable(uart_port, USART_SEND_READY);
    }
    if (call->length == 0) {
        room_asked = false;
    }
    return call->length == 0;
}

static int write(void *argument)
{
    struct write_call *call = argument;

    if (!is_open) {
        return ERR_EMPTY;
    }
    return push_all(call) ? 0 : syscall_wait_in(&call->syscall, &writing);
}

EVENT(uart_room)
{
    if (writing != 0 && push_all((struct write_call *)(void *)writing)) {
        syscall_end(writing, 0);
    }
}

int uart_write(const void *bytes, size_t length, uint64_t deadline)
{
    struct write_call call = {.bytes = bytes, .length = length};

    if (mutex_lock_until(&lock, deadline) == ERR_TIMEOUT) {
        return ERR_TIMEOUT;
    }
    /* A writer that has ended leaves nothing half done. */
    int error = syscall_run_until(write, &call.syscall, deadline);
    mutex_unlock(&lock);
    return error;
}

/* Takes what there is. Returns whether the call has ended, with a result. */
static bool pull(struct read_call *call, int *result)
{
    *result = 0;
    if (has_failed) {
        has_failed = false;
        *result = ERR_IO;
        return true;
    }
    while (call->length < call->size && uart_ring_take(&uart_receive_ring, call->bytes)) {
        call->bytes++;
        call->length++;
    }
    return call->length > 0;
}

static int read(void *argument)
{
    struct read_call *call = argument;
    int result;

    if (!is_open) {
        return ERR_EMPTY;
    }
    usart_listen();
    return pull(call, &result) ? result : syscall_wait_in(&call->syscall, &reading);
}

EVENT(uart_received)
{
    int result;

    while (reading != 0 && pull((struct read_call *)(void *)reading, &result)) {
        syscall_end(reading, result);
    }
}

int uart_read(void *bytes, size_t size, size_t *length, uint64_t deadline)
{
    struct read_call call = {.bytes = bytes, .size = size};
    int error = syscall_run_until(read, &call.syscall, deadline);

    *length = call.length;
    return error;
}

static void fail(volatile uint16_t *count)
{
    if (*count < UINT16_MAX) {
        ++*count;
    }
    has_failed = true;
}

static void take_received(void)
{
    uint8_t byte;
    unsigned errors = usart_receive(uart_port, &byte);

    if (errors & USART_OVERRUN) {
        fail(&counts.overrun);
    }
    if (errors & USART_DAMAGED) {
        fail(&counts.framing);
    } else if (errors & USART_WRONG_PARITY) {
        fail(&counts.parity);
    } else if (!uart_ring_put(&uart_receive_ring, byte)) {
        fail(&counts.overrun);
    }
    event_post_from(&uart_received, LEVEL_DRIVER);
}

static void send_next(void)
{
    uint8_t byte;

    if (uart_ring_take(&uart_send_ring, &byte)) {
        usart_send(uart_port, byte);
    } else {
        usart_disable(uart_port, USART_SEND_READY);
        usart_enable(uart_port, USART_SENT);
    }
    if (room_asked && uart_ring_held(&uart_send_ring) <= uart_send_ring.mask / 2) {
        room_asked = false;
        event_post_from(&uart_room, LEVEL_DRIVER);
    }
}

static void all_sent(void)
{
    usart_disable(uart_port, USART_SENT);
    if (uart_ring_held(&uart_send_ring) == 0) {
        power_unlimit(&sending_limit);
    }
}

/* "All sent" is served before "ready": served after it, it would refer to the byte before the one
 * now on its way. */
void uart_interrupt(void)
{
    unsigned pending = usart_pending(uart_port);

    if (pending & USART_RECEIVED) {
        take_received();
    }
    if (pending & USART_SENT) {
        all_sent();
    }
    if (pending & USART_SEND_READY) {
        send_next();
    }
}

/* The interrupt may count between the bytes of a reading. */
static uint16_t settled(const volatile uint16_t *count)
{
    uint16_t seen;
    do {
        seen = *count;
    } while (seen != *count);
    return seen;
}

void uart_errors(struct uart_errors *errors)
{
    errors->overrun = settled(&counts.overrun);
    errors->framing = settled(&counts.framing);
    errors->parity = settled(&counts.parity);
}
