/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The serial console.
 *
 * Out. Every byte enters the send ring at the kernel level, where nothing else that writes to it
 * can come in between; the interrupt takes it out. A thread carries its bytes there by kernel
 * calls. While the ring is full it waits for `console_room`, which the interrupt notifies when the
 * ring is half empty, so a long text costs a few wake-ups and no polling. `turn` keeps one thread's
 * text together.
 *
 * In. The interrupt puts bytes into the receive ring and notifies `console_received`; the reading
 * thread takes them out.
 *
 * Sleep. From the first byte in the ring to the end of the last one's stop bit the port
 * needs its clock. The limit is set after a byte has entered the ring and lifted only when the ring
 * is found empty by the interrupt that says all is sent, so whichever comes first, it holds while
 * there is something to send.
 */
#include <lichen/console.h>

#include <lichen/arch.h>
#include <lichen/init.h>
#include <lichen/interrupt.h>
#include <lichen/notify.h>
#include <lichen/panic.h>
#include <lichen/power.h>
#include <lichen/semaphore.h>

#include "chip/chip.h"
#include "chip/usart.h"
#include "driver/console/output.h"
#include "driver/console/ring.h"
#include "driver/console/wiring.h"

_Static_assert(CONSOLE_SEND_RING == RING_SIZE, "send ring");
_Static_assert(CONSOLE_RECEIVE_RING == RING_SIZE, "receive ring");

static struct ring send_ring;
static struct ring receive_ring;
static bool started;             /* false only in a panic during start-up */
static volatile bool room_asked; /* set at the kernel level, cleared there and by the interrupt */
static volatile uint32_t lost_sending;   /* written at the kernel level */
static volatile uint32_t lost_receiving; /* written by the interrupt */

NOTIFY(console_room);
NOTIFY(console_received);
static SEMAPHORE(turn, 1);
POWER_LIMIT(sending_limit);

static void console_start(void)
{
    usart_open(board_console.port, board_console.baud);
    started = true;
}
INIT(console_start);

/* What a thread asks the kernel level to send. */
struct piece {
    const uint8_t *bytes;
    size_t length;
};

/* Moves what fits into the ring. Kernel level. */
static void push(struct piece *piece)
{
    while (piece->length > 0 && ring_put(&send_ring, *piece->bytes)) {
        piece->bytes++;
        piece->length--;
    }
    if (ring_held(&send_ring) > 0) {
        power_limit(&sending_limit, CHIP_SLEEP_SENDING);
        usart_enable(board_console.port, USART_SEND_READY);
    }
}

/* The same for a thread, which will wait if not all fits. Room is asked for before the ring is
 * full, so that the interrupt cannot empty it unasked. */
static int push_call(void *argument)
{
    struct piece *piece = argument;

    room_asked = true;
    push(piece);
    if (piece->length == 0) {
        room_asked = false;
    }
    return 0;
}

void console_claim(void)
{
    if (arch_in_thread()) {
        semaphore_wait(&turn);
    }
}

void console_release(void)
{
    if (arch_in_thread()) {
        semaphore_post(&turn);
    }
}

void console_send(const void *bytes, size_t length)
{
    struct piece piece = {.bytes = bytes, .length = length};

    if (!arch_in_thread()) {
        push(&piece);
        lost_sending += piece.length;
        return;
    }
    arch_kernel_wait(push_call, &piece);
    while (piece.length > 0) {
        notify_wait(&console_room);
        arch_kernel_wait(push_call, &piece);
    }
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
        notify_post_from(&console_room, LEVEL_DRIVER);
    }
}

static void take_received(void)
{
    uint8_t byte;

    if (!usart_receive(board_console.port, &byte)) {
        return;
    }
    if (!ring_put(&receive_ring, byte)) {
        lost_receiving++;
    }
    notify_post_from(&console_received, LEVEL_DRIVER);
}

/* "All sent" comes before "ready": served after it, it would be about the byte before the one that
 * is on its way now. */
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
    uint8_t byte;

    while (!ring_take(&receive_ring, &byte)) {
        notify_wait(&console_received);
    }
    return byte;
}

int console_read_until(uint8_t *byte, uint64_t deadline)
{
    while (!ring_take(&receive_ring, byte)) {
        if (notify_wait_until(&console_received, deadline) == ERR_TIMEOUT) {
            return ring_take(&receive_ring, byte) ? 0 : ERR_TIMEOUT;
        }
    }
    return 0;
}

uint32_t console_lost(void)
{
    return lost_sending + lost_receiving;
}

static void write_waiting(const char *text, size_t length)
{
    for (; length > 0; length--, text++) {
        if (*text == '\n') {
            usart_send_waiting(board_console.port, '\r');
        }
        usart_send_waiting(board_console.port, (uint8_t)*text);
    }
}

/* The last words of a program: what still waits in the ring, then the report. */
PANIC_WRITE(text, length)
{
    uint8_t byte;

    if (!started) {
        console_start();
    }
    while (ring_take(&send_ring, &byte)) {
        usart_send_waiting(board_console.port, byte);
    }
    write_waiting(text, length);
}
