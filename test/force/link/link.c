/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link over the board's radio, which threads and events use while they are interrupted. Nobody
 * else is on the air, so nothing is acknowledged.
 *
 * Laws: each transfer that was begun ends, with the result that fits what was done to it; so does
 * each call; and no packet is left.
 */
#include <lichen/am.h>
#include <lichen/notify.h>
#include <lichen/packet.h>
#include <lichen/time.h>

#include "../radio/waiting.h"
#include "force.h"

enum {
    NOBODY = 2,
    TYPE = 6,
    LENGTH = 4,
    DEADLINE_MS = 12, /* one of the tries is under way then */
    WAIT_MS = 400,    /* all frames have been sent by then */
    RUN_MS = 3000,
    ROUNDS_MAX = 1000, /* of a millisecond, until all calls have ended */
};

PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16);
LINK_NEIGHBOURS(1);

static struct link_transfer transfers[FORCE_ACTORS + 1];
static volatile uint8_t begun[FORCE_ACTORS + 1];
static volatile uint8_t calls[FORCE_ACTORS + 1]; /* 1: of this actor, one waits */
static volatile uint8_t cancelled;

NOTIFY(sent);

EVENT(ended)
{
    notify_post(&sent);
}

static const uint8_t payload[LENGTH] = {1, 2, 3, 4};

/* -------- operations */

static void begin_to(unsigned actor, uint16_t destination)
{
    struct link_transfer *transfer = &transfers[actor];

    if (am_begin(transfer, destination, TYPE, payload, LENGTH) == 0) {
        begun[actor] = 1;
    }
}

static void begin(unsigned actor)
{
    begin_to(actor, AM_ALL);
}

/* The stretch waits until its frame has ended, so interrupts are forced into all of that. */
static void ask(unsigned actor)
{
    bool waits = actor == FORCE_STRETCH;

    transfers[actor].ended = waits ? &ended : 0;
    begin_to(actor, NOBODY);
    calls[actor] = waits;
    while (waits && transfers[actor].active) {
        notify_wait(&sent);
    }
    calls[actor] = 0;
}

static void send(unsigned actor)
{
    calls[actor] = 1;
    force_expect(am_send(AM_ALL, TYPE, payload, LENGTH) == 0);
    calls[actor] = 0;
}

static void send_until(unsigned actor)
{
    calls[actor] = 1;
    uint64_t deadline = time_now_us() + DEADLINE_MS * TIME_US_PER_MS;
    int error = am_send_until(NOBODY, TYPE, payload, LENGTH, deadline);

    force_expect(error == ERR_TIMEOUT || error == ERR_NO_ACK);
    calls[actor] = 0;
}

static void cancel(unsigned actor __attribute__((unused)))
{
    int error = link_cancel(&transfers[FORCE_STRETCH]);

    force_expect(error == 0 || error == ERR_BUSY || error == ERR_EMPTY);
    if (error == 0) {
        cancelled = 1;
    }
}

/* -------- the object */

static void prepare(void)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = 1};

    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        begun[actor] = 0;
        calls[actor] = 0;
        transfers[actor].ended = 0;
    }
    cancelled = 0;
    force_expect(link_open(&settings) == 0);
}

static bool settle(void)
{
    return pass_while(force_sum(calls, FORCE_ACTORS + 1) != 0, ROUNDS_MAX);
}

static void check_transfer(unsigned actor)
{
    const struct link_transfer *transfer = &transfers[actor];
    bool was_cancelled = actor == FORCE_STRETCH && cancelled;
    bool is_asking = transfer->destination.short_address == NOBODY;

    force_expect(!transfer->active);
    force_expect(transfer->result == (was_cancelled ? ERR_CANCELLED : is_asking ? ERR_NO_ACK : 0));
}

static void check(void)
{
    begin(FORCE_CONDUCTOR);
    pass(WAIT_MS);
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        if (begun[actor]) {
            check_transfer(actor);
        }
    }
    force_expect(packet_pool.used == 0);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

/* A second interrupt is forced only where memory has changed, which says nothing of the radio. */
static const struct force_state idle = {.name = "idle", .lasts_ms = RUN_MS, .alone = true};
const struct force_state *const force_states[] = {&idle};

static const struct force_operation op_ask = {.name = "ask", .object = &object, .in_thread = ask};
static const struct force_operation op_send = {
    .name = "send", .object = &object, .in_thread = send};
static const struct force_operation op_send_until = {
    .name = "send_until", .object = &object, .in_thread = send_until};
static const struct force_operation op_begin = {
    .name = "begin", .object = &object, .in_event = begin};
static const struct force_operation op_cancel = {
    .name = "cancel", .object = &object, .in_event = cancel};
const struct force_operation *const force_operations[] = {&op_ask, &op_send, &op_send_until,
                                                          &op_begin, &op_cancel};
