/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages to net-main, or to the only thread.
 *
 * Invariant: the queue has a place for each message that may be in it at a time, so an event that
 * sends one never finds it full. LINK_PACKETS packets: `told` and `heard` count them, each with one
 * writer. One timer and one request: a byte for each is set when its message is sent, and cleared
 * when it is taken, before the work that it stands for.
 */
#include <lichen/assert.h>

#include "net/link/link.h"
#include "net/link/received.h"

#pragma weak link_poll_timer

#define OTHERS 2u

static QUEUE(link_messages, struct link_message, LINK_PACKETS + OTHERS);
static volatile uint8_t told, heard;
static volatile bool is_told[OTHERS + 1];

NOTIFY(link_wake_tx);

bool link_has_place(void)
{
    return (uint8_t)(told - heard) < LINK_PACKETS;
}

void link_tell(uint8_t kind, packet_t packet)
{
    struct link_message message = {.kind = kind, .packet = packet};

    if (kind == LINK_PACKET) {
        told = (uint8_t)(told + 1);
    } else if (is_told[kind]) {
        return;
    } else {
        is_told[kind] = true;
    }
    int error = queue_try_send(&link_messages, &message);
    assert(error == 0);
}

static void hear(struct link_message *message)
{
    queue_receive(&link_messages, message);
    if (message->kind != LINK_PACKET) {
        is_told[message->kind] = false;
        return;
    }
    heard = (uint8_t)(heard + 1);
    if (link_holds_back) {
        link_holds_back = false;
        event_post(&radio_received);
    }
}

static void handle(const struct link_message *message)
{
    if (message->kind == LINK_PACKET) {
        link_incoming(message->packet);
    } else if (message->kind == LINK_TIMER && link_poll_timer != 0) {
        link_poll_timer();
    }
}

void link_request(void)
{
    if (link_in_turn) {
        link_tell(LINK_REQUEST, PACKET_NONE);
    } else {
        notify_post(&link_wake_tx);
    }
}

void link_go_on(void)
{
    notify_post(&link_wake_tx);
}

/* -------- threads */

void link_run_main(void)
{
    struct link_message message;

    for (;;) {
        hear(&message);
        handle(&message);
    }
}

void link_run_tx(void)
{
    for (;;) {
        notify_wait(&link_wake_tx);
        link_transmit();
    }
}

/* While it sends, received packets wait. */
void link_run_in_turn(void)
{
    struct link_message message;

    for (;;) {
        hear(&message);
        if (message.kind != LINK_REQUEST) {
            handle(&message);
            continue;
        }
        for (link_transmit(); link_is_sending(); link_transmit()) {
            notify_wait(&link_wake_tx);
        }
    }
}
