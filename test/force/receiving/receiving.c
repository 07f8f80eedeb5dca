/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link's way of a received frame, from the radio to a receiver's queue and out of it. The radio
 * is played (test/mote/link/fake_radio.h).
 *
 * Laws: each frame that has arrived is taken, or counted by one reason; frames with one number come
 * once; messages of one sender are taken in the order of their coming; no packet is left; and the
 * next frame comes.
 */
#include <lichen/am.h>
#include <lichen/time.h>

#include "../../mote/link/fake_radio.h"
#include "../radio/waiting.h"
#include "force.h"
#include "net/link/link.h"

enum {
    OWN = 1,
    OTHER = 2, /* its frames have a number each, */
    AGAIN = 3, /* and its frames all the same one */
    TYPE = 6,
    PLACES = 2, /* of the receiver's queue, */
    BLOCKS = 3, /* of memory, */
    BURST = 3,  /* and frames that come at once */
    DEADLINE_US = 2000,
    FRAME_BYTES = 12,
    WAIT_MS = 20,
    RUN_MS = 500,
    ROUNDS_MAX = 100, /* of a millisecond, until all calls have ended */
};

PACKET_POOL(BLOCKS);
LINK_NEIGHBOURS(1);
AM_RECEIVER(counts, TYPE, PLACES);

static volatile uint8_t
    arrived[FORCE_ACTORS + 1]; /* frames, also those for which the radio has no place */
static volatile uint8_t taken[FORCE_ACTORS + 1];
static volatile uint8_t calls[FORCE_ACTORS + 1]; /* 1: of this actor, one waits */
static volatile uint8_t again_taken[FORCE_ACTORS + 1];
static uint8_t number; /* of the last frame of OTHER; the kernel level's */
static uint8_t counted_before[LOST_BY_LINK];
static uint16_t lost_before;

/* -------- operations */

static void arrive(unsigned actor, uint16_t from, uint8_t sequence)
{
    const uint8_t frame[FRAME_BYTES] = {0x41,
                                        0x88,
                                        sequence,
                                        (uint8_t)LINK_PAN_USUAL,
                                        LINK_PAN_USUAL >> 8,
                                        OWN,
                                        0,
                                        (uint8_t)from,
                                        0,
                                        0x3f,
                                        TYPE,
                                        sequence};

    arrived[actor]++;
    (void)fake_receive(frame, sizeof(frame));
}

static void hear(unsigned actor)
{
    arrive(actor, OTHER, ++number);
}

/* More than there is room for. */
static void hear_many(unsigned actor)
{
    for (unsigned i = 0; i < BURST; i++) {
        hear(actor);
    }
}

static void hear_again(unsigned actor)
{
    arrive(actor, AGAIN, 200);
}

static void note(unsigned actor, const struct am_message *message, uint8_t value)
{
    force_expect(message->type == TYPE && message->length == 1 && !message->to_all);
    force_expect(message->source == AGAIN ? value == 200 : message->source == OTHER);
    taken[actor]++;
    again_taken[actor] += message->source == AGAIN;
}

static bool try_to_take(unsigned actor)
{
    struct am_message message;
    uint8_t value;

    if (am_try_receive(&counts, &message, &value, 1) != 0) {
        return false;
    }
    note(actor, &message, value);
    return true;
}

static void take(unsigned actor)
{
    (void)try_to_take(actor);
}

static void await(unsigned actor)
{
    struct am_message message;
    uint8_t value;

    calls[actor] = 1;
    int error = am_receive(&counts, &message, &value, 1, time_now_us() + DEADLINE_US);
    force_expect(error == 0 || error == ERR_TIMEOUT);
    if (error == 0) {
        note(actor, &message, value);
    }
    calls[actor] = 0;
}

/* -------- the object */

void force_start(void)
{
    const struct link_settings settings = {
        .channel = 11, .pan = LINK_PAN_USUAL, .short_address = OWN};

    fake_renew();
    force_expect(link_open(&settings) == 0);
}

static void prepare(void)
{
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        arrived[actor] = 0;
        calls[actor] = 0;
        taken[actor] = 0;
        again_taken[actor] = 0;
    }
    lost_before = fake.lost;
    for (unsigned reason = 0; reason < LOST_BY_LINK; reason++) {
        counted_before[reason] = (uint8_t)link_losses[reason];
    }
}

static bool settle(void)
{
    return pass_while(force_sum(calls, FORCE_ACTORS + 1) != 0, ROUNDS_MAX);
}

static unsigned counted(unsigned reason)
{
    return (uint8_t)(link_losses[reason] - counted_before[reason]);
}

/* The oldest message first. */
static void drain(void)
{
    struct am_message message;
    uint8_t value, last = 0;

    while (am_try_receive(&counts, &message, &value, 1) == 0) {
        note(FORCE_CONDUCTOR, &message, value);
        force_expect(message.source == AGAIN || last == 0 || (int8_t)(value - last) > 0);
        last = message.source == AGAIN ? last : value;
    }
}

static void check_accounts(void)
{
    unsigned all = force_sum(arrived, FORCE_ACTORS + 1);
    unsigned lost = (uint16_t)(fake.lost - lost_before);
    unsigned reasons = 0;

    for (unsigned reason = 1; reason < LOST_BY_LINK; reason++) {
        reasons += counted(reason);
    }
    force_expect(reasons == counted(LOST_DUPLICATE) + counted(LOST_RECEIVER_FULL));
    force_expect(force_sum(taken, FORCE_ACTORS + 1) + reasons + lost == all);
    force_expect(force_sum(again_taken, FORCE_ACTORS + 1) <= 1);
    force_expect(packet_pool.used == 0);
}

static void check(void)
{
    drain();
    check_accounts();
    hear(FORCE_CONDUCTOR);
    pass(WAIT_MS);
    force_expect(try_to_take(FORCE_CONDUCTOR));
    check_accounts();
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_state idle = {.name = "idle", .lasts_ms = RUN_MS};
const struct force_state *const force_states[] = {&idle};

static const struct force_operation op_hear = {.name = "hear", .object = &object, .in_event = hear};
static const struct force_operation op_hear_many = {
    .name = "hear_many", .object = &object, .in_event = hear_many};
static const struct force_operation op_hear_again = {
    .name = "hear_again", .object = &object, .in_event = hear_again};
static const struct force_operation op_take = {
    .name = "take", .object = &object, .in_thread = take, .in_event = take};
static const struct force_operation op_await = {
    .name = "await", .object = &object, .in_thread = await};
const struct force_operation *const force_operations[] = {&op_hear, &op_hear_many, &op_hear_again,
                                                          &op_take, &op_await};
