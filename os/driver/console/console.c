/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial console.
 *
 * Sending and receiving are blocking calls as lichen/syscall.h describes them.
 *
 * Out. Every byte is put into the send ring at the kernel level, where no other writer can come in
 * between; the interrupt takes it out. A thread's call waits while some of its bytes remain; the
 * interrupt posts `console_room` when the ring is half empty, and that event moves in as many as
 * fit. So a thread that sends a long text wakes once, at its end. `lock` keeps the text of one
 * thread together.
 *
 * In. The interrupt puts bytes into the receive ring and posts `console_received`; that event hands
 * them to the waiting calls.
 *
 * Frames (framed.h). In a program with a loader a byte of a frame looks damaged here: it is the
 * loader's.
 *
 * Draining (drain.c). The interrupt that reports "all sent" and finds the ring empty posts an event
 * if it was asked to.
 *
 * Sleep. The port needs its clock from the first byte in the ring, or from the opening of the port
 * if that comes later, to the end of the last stop bit. The limit is set after a byte has entered
 * the ring, and lifted only when the interrupt that reports "all sent" finds the ring empty. So in
 * either order it holds while there is something to send.
 */
#include <lichen/console.h>

#include <lichen/arch.h>
#include <lichen/event.h>
#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/syscall.h>
#include <lichen/mutex.h>
#include <lichen/panic.h>
#include <lichen/power.h>

#include "chip/chip.h"
#include "chip/usart.h"
#include "driver/console/drain.h"
#include "driver/console/framed.h"
#include "driver/console/output.h"
#include "driver/console/ring.h"
#include "driver/console/wiring.h"

_Static_assert(CONSOLE_SEND_RING == RING_SIZE, "send ring");
_Static_assert(CONSOLE_RECEIVE_RING == RING_SIZE, "receive ring");

static struct ring send_ring;
static struct ring receive_ring;
static bool started;             /* false before its INIT, in a panic or an earlier one */
static volatile bool room_asked; /* set at the kernel level, cleared there and by the interrupt */
static struct syscall *writing;  /* the call that waits for room */
static volatile bool sent_asked; /* as room_asked */
static struct event *when_sent;  /* written before sent_asked is set */
static struct syscall *reading;  /* the calls that wait for a byte */
static volatile uint32_t console_lost_sending;   /* written at the kernel level */
static volatile uint32_t console_lost_receiving; /* written by the interrupt */

static MUTEX(lock);
POWER_LIMIT(sending_limit);

/* Called while the ring holds something. Before the port is open, the bytes wait for that. */
static void send_begin(void)
{
    if (started && ring_held(&send_ring) > 0) {
        power_limit(&sending_limit, CHIP_SLEEP_SENDING);
        usart_enable(board_console.port, USART_SEND_READY);
    }
}

static void console_open(void)
{
    usart_open(board_console.port, board_console.baud);
    started = true;
}

static void console_start(void)
{
    console_open();
    send_begin();
}
INIT_IN(DRIVERS, console_start);

/* What remains to be sent. */
struct piece {
    const uint8_t *bytes;
    size_t length;
};

struct write_call {
    struct syscall syscall;
    struct piece piece;
};

struct read_call {
    struct syscall syscall;
    uint8_t byte;
};

static uint8_t byte_at(const uint8_t *byte)
{
    return (uint8_t)arch_text((const char *)byte);
}

/* Moves as many bytes as fit into the ring. Kernel level. */
static void push(struct piece *piece)
{
    while (piece->length > 0 && ring_put(&send_ring, byte_at(piece->bytes))) {
        piece->bytes++;
        piece->length--;
    }
    send_begin();
}

/* The same for a thread's call, which waits if not everything fits. It registers for room before it
 * fills the ring, so the interrupt cannot empty the ring without posting. Returns whether all has
 * fitted. */
static bool push_all(struct write_call *call)
{
    room_asked = true;
    push(&call->piece);
    if (call->piece.length == 0) {
        room_asked = false;
    }
    return call->piece.length == 0;
}

static int write(void *argument)
{
    struct write_call *call = argument;

    return push_all(call) ? 0 : syscall_wait_in(&call->syscall, &writing);
}

EVENT(console_room)
{
    if (writing != 0 && push_all((struct write_call *)writing)) {
        syscall_end(writing, 0);
    }
}

static int read(void *argument)
{
    struct read_call *call = argument;

    usart_listen();
    return ring_take(&receive_ring, &call->byte) ? 0 : syscall_wait_in(&call->syscall, &reading);
}

EVENT(console_received)
{
    while (reading != 0 && ring_take(&receive_ring, &((struct read_call *)reading)->byte)) {
        syscall_end(reading, 0);
    }
}

bool console_ask_sent(struct event *event)
{
    when_sent = event;
    sent_asked = true;
    if (ring_held(&send_ring) > 0 || sending_limit != 0) {
        return true;
    }
    sent_asked = false;
    return false;
}

void console_claim(void)
{
    if (arch_in_thread()) {
        (void)mutex_lock(&lock); /* a writer that was destroyed leaves nothing half done */
    }
}

void console_release(void)
{
    if (arch_in_thread()) {
        mutex_unlock(&lock);
    }
}

void console_send(const void *bytes, size_t length)
{
    struct write_call call;

    call.piece = (struct piece){.bytes = bytes, .length = length};
    if (arch_in_thread()) {
        (void)syscall_run(write, &call.syscall);
    } else {
        push(&call.piece);
        console_lost_sending += call.piece.length;
    }
}

bool console_stage(uint8_t offset, uint8_t byte)
{
    return ring_put_at(&send_ring, offset, byte);
}

void console_commit(uint8_t length)
{
    ring_add(&send_ring, length);
    send_begin();
}

void console_write(const void *bytes, size_t length)
{
    console_claim();
    console_send(bytes, length);
    console_release();
}

static void all_sent(void)
{
    usart_disable(board_console.port, USART_SENT);
    if (ring_held(&send_ring) == 0) {
        power_unlimit(&sending_limit);
        if (sent_asked) {
            sent_asked = false;
            event_post_from(when_sent, LEVEL_DRIVER);
        }
    }
}

static void send_next(void)
{
    uint8_t byte;

    if (ring_take(&send_ring, &byte)) {
        usart_send(board_console.port, byte);
    } else {
        usart_disable(board_console.port, USART_SEND_READY);
        usart_enable(board_console.port, USART_SENT);
    }
    if (room_asked && ring_held(&send_ring) <= RING_SIZE / 2) {
        room_asked = false;
        event_post_from(&console_room, LEVEL_DRIVER);
    }
}

static void take_received(void)
{
    uint8_t byte;
    unsigned errors = console_receive(board_console.port, &byte);

    if (errors & USART_OVERRUN) {
        console_lost_receiving++;
    }
    if (errors & USART_DAMAGED) {
        return;
    }
    if (!ring_put(&receive_ring, byte)) {
        console_lost_receiving++;
    }
    event_post_from(&console_received, LEVEL_DRIVER);
}

/* "All sent" is served before "ready": served after it, it would refer to the byte before the one
 * now on its way. */
void console_interrupt(void)
{
    unsigned pending = usart_pending(board_console.port);

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

uint8_t console_read(void)
{
    struct read_call call;

    (void)syscall_run(read, &call.syscall);
    return call.byte;
}

int console_read_until(uint8_t *byte, uint64_t deadline)
{
    struct read_call call;
    int error = syscall_run_until(read, &call.syscall, deadline);

    if (error == 0) {
        *byte = call.byte;
    }
    return error;
}

/* An interrupt may count between the bytes of a reading. */
static uint32_t settled(const volatile uint32_t *count)
{
    uint32_t seen;
    do {
        seen = *count;
    } while (seen != *count);
    return seen;
}

uint32_t console_lost(void)
{
    return settled(&console_lost_sending) + settled(&console_lost_receiving);
}

uint32_t console_lost_input(void)
{
    return settled(&console_lost_receiving);
}

/* If the port does not send, give up at the first byte. */
static void write_waiting(const char *text, size_t length)
{
    bool sent = true;

    for (; sent && length > 0; length--, text++) {
        char character = arch_text(text);
        if (character == '\n') {
            (void)usart_send_waiting(board_console.port, '\r');
        }
        sent = usart_send_waiting(board_console.port, (uint8_t)character);
    }
}

/* Sends what still waits in the ring, then the report of the panic. */
static void write_last(const char *text, size_t length)
{
    uint8_t byte;

    if (!started) {
        console_open();
    }
    while (ring_take(&send_ring, &byte)) {
        if (!usart_send_waiting(board_console.port, byte)) {
            return;
        }
    }
    write_waiting(text, length);
}

/* In a program that continues, the ring already has a reader: the interrupt. */
PANIC_WRITE(text, length)
{
    if (panic_is_under_way()) {
        write_last(text, length);
    } else {
        console_write(text, length);
    }
}
