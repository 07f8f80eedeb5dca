/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages to net-main, or to the only thread.
 *
 * Invariant: the queue has a place for each message that may be in it at a time, so an event that
 * sends one never finds it full. LINK_PACKETS packets: `told` and `heard` count them, each with one
 * writer. One timer and one request: a byte for each is set when its message is sent, and cleared
 * when it is taken, before the work that it stands for.
 */
#include "net/link/form.h"

#include <lichen/assert.h>

#include "net/link/received.h"

#pragma weak link_poll_timer

#define OTHERS 2u

struct link_message {
    uint8_t kind;
    packet_t packet;
};

static QUEUE(link_messages, struct link_message, LINK_PACKETS + OTHERS);
static volatile uint8_t told, heard;
static volatile bool is_told[OTHERS + 1];

bool link_has_place_queued(void)
{
    return (uint8_t)(told - heard) < LINK_PACKETS;
}

void link_tell_queued(uint8_t kind, packet_t packet)
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

static void take(struct link_message *message)
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
        link_examine(message->packet);
    } else if (message->kind == LINK_TIMER && link_poll_timer != 0) {
        link_poll_timer();
    }
}

uint8_t link_hear(void)
{
    struct link_message message;

    take(&message);
    handle(&message);
    return message.kind;
}
