/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link of radios of bytes, sending and receiving. Its driver is played
 * (test/mote/link_bytes/fake_driver.h): what is sent is on the air for 2 ms, and is acknowledged.
 *
 * Laws: each transfer that was begun ends, with the result that fits what was done to it; so does
 * each call; a frame that comes is acknowledged if it is in its receiver's queue, and else counted
 * by one reason; what was acknowledged is taken; no frame is left; and the next one comes, and the
 * next one leaves.
 */
#include <lichen/am.h>
#include <lichen/time.h>

#include "../../mote/link_bytes/fake_driver.h"
#include "../radio/waiting.h"
#include "force.h"
#include "net/byte_link/byte_link.h"

enum {
    OWN = 1,
    OTHER = 2,
    TYPE = 6,
    LENGTH = 2,
    PLACES = 3, /* of the receiver's queue, */
    FRAMES = 3, /* and of memory, */
    BURST = 3,  /* and frames that come at once */
    DEADLINE_US = 1500,
    WAIT_MS = 40,
    RUN_MS = 800,
    ROUNDS_MAX = 200, /* of a millisecond, until all calls have ended */
};

LINK_FRAMES(FRAMES, LENGTH);
AM_RECEIVER(counts, TYPE, PLACES);

static struct link_transfer transfers[FORCE_ACTORS + 1];
static volatile uint8_t begun[FORCE_ACTORS + 1];
static volatile uint8_t calls[FORCE_ACTORS + 1]; /* 1: of this actor, one waits */
static volatile uint8_t cancelled;
static volatile uint8_t acknowledged[FORCE_ACTORS + 1];
static volatile uint8_t refused[FORCE_ACTORS + 1];
static volatile uint8_t taken[FORCE_ACTORS + 1];
static uint16_t full_before, missed_before;

static const uint8_t payload[LENGTH] = {1, 2};

/* -------- sending */

static void begin(unsigned actor)
{
    int error = am_begin(&transfers[actor], OTHER, TYPE, payload, LENGTH);

    force_expect(error == 0 || error == ERR_FULL || error == ERR_BUSY);
    begun[actor] |= error == 0;
}

static void send(unsigned actor)
{
    calls[actor] = 1;
    force_expect(am_send(OTHER, TYPE, payload, LENGTH) == 0);
    calls[actor] = 0;
}

/* Its bytes are the thread's again behind it. */
static void send_until(unsigned actor)
{
    volatile uint8_t bytes[LENGTH] = {3, 4};

    calls[actor] = 1;
    int error =
        am_send_until(OTHER, TYPE, (const uint8_t *)bytes, LENGTH, time_now_us() + DEADLINE_US);
    bytes[0] = bytes[1] = 0xff;
    force_expect(error == ERR_TIMEOUT || error == 0);
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

/* -------- receiving */

/* Its second byte says what the first one is. */
static void hear(unsigned actor)
{
    static uint8_t number;
    const uint8_t frame[HEADER_BYTES + LENGTH] = {
        OWN >> 8, OWN, OTHER >> 8, OTHER, LENGTH, LINK_PAN_USUAL, TYPE, ++number, (uint8_t)~number};
    uint8_t is_acknowledged = fake_receive(frame, sizeof(frame)) == FAKE_ACKED;

    acknowledged[actor] += is_acknowledged;
    refused[actor] += !is_acknowledged;
}

/* More than there is room for. */
static void hear_many(unsigned actor)
{
    for (unsigned i = 0; i < BURST; i++) {
        hear(actor);
    }
}

static bool has_taken(unsigned actor)
{
    struct am_message message;
    uint8_t bytes[LENGTH];

    if (am_try_receive(&counts, &message, bytes, sizeof(bytes)) != 0) {
        return false;
    }
    force_expect(message.source == OTHER && message.length == LENGTH);
    force_expect((bytes[0] ^ bytes[1]) == UINT8_MAX);
    taken[actor]++;
    return true;
}

static void take(unsigned actor)
{
    (void)has_taken(actor);
}

static void await(unsigned actor)
{
    struct am_message message;
    uint8_t bytes[LENGTH] = {0, 0};

    calls[actor] = 1;
    int error = am_receive(&counts, &message, bytes, sizeof(bytes), time_now_us() + DEADLINE_US);
    force_expect(error == ERR_TIMEOUT || (bytes[0] ^ bytes[1]) == UINT8_MAX);
    taken[actor] += error == 0;
    calls[actor] = 0;
}

/* -------- the object */

void force_start(void)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};

    force_expect(link_open(&settings) == 0);
}

static void prepare(void)
{
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        begun[actor] = 0;
        calls[actor] = 0;
        acknowledged[actor] = 0;
        refused[actor] = 0;
        taken[actor] = 0;
    }
    cancelled = 0;
    fake_renew();
    full_before = byte_link_losses[LOST_RECEIVER_FULL];
    missed_before = byte_link_losses[LOST_BY_LINK + CC1000_OVERFLOWED];
}

static bool settle(void)
{
    return pass_while(force_sum(calls, FORCE_ACTORS + 1) != 0, ROUNDS_MAX);
}

static void check_transfer(unsigned actor)
{
    const struct link_transfer *transfer = &transfers[actor];
    bool was_cancelled = actor == FORCE_STRETCH && cancelled;

    force_expect(!transfer->active);
    force_expect(transfer->result == (was_cancelled ? ERR_CANCELLED : 0));
}

/* But the driver's. */
static unsigned frames_used(void)
{
    unsigned used = 0;

    for (unsigned i = 0; i < FRAMES; i++) {
        used += link_frame_is_used[i];
    }
    return used - (byte_link_state.receiving != 0);
}

static void check_accounts(void)
{
    unsigned full = byte_link_losses[LOST_RECEIVER_FULL] - full_before;
    unsigned missed = byte_link_losses[LOST_BY_LINK + CC1000_OVERFLOWED] - missed_before;

    force_expect(force_sum(taken, FORCE_ACTORS + 1) == force_sum(acknowledged, FORCE_ACTORS + 1));
    force_expect(full + missed == force_sum(refused, FORCE_ACTORS + 1));
    force_expect(byte_link_state.receiving != 0 && frames_used() == 0);
    force_expect(fake.changed == 0);
    force_expect(byte_link_state.current == 0 && byte_link_state.to_send == 0);
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
    while (has_taken(FORCE_CONDUCTOR)) {
    }
    check_accounts();
    hear(FORCE_CONDUCTOR);
    force_expect(has_taken(FORCE_CONDUCTOR));
    check_accounts();
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static void fill(void)
{
    for (unsigned i = 0; i < FRAMES; i++) {
        hear(FORCE_CONDUCTOR);
    }
}

static const struct force_state idle = {.name = "idle", .lasts_ms = RUN_MS};
static const struct force_state full = {.name = "full", .enter = fill, .lasts_ms = RUN_MS};
const struct force_state *const force_states[] = {&idle, &full};

static const struct force_operation op_send = {
    .name = "send", .object = &object, .in_thread = send};
static const struct force_operation op_send_until = {
    .name = "send_until", .object = &object, .in_thread = send_until};
static const struct force_operation op_begin = {
    .name = "begin", .object = &object, .in_thread = begin, .in_event = begin};
static const struct force_operation op_cancel = {
    .name = "cancel", .object = &object, .in_event = cancel};
static const struct force_operation op_hear = {.name = "hear", .object = &object, .in_event = hear};
static const struct force_operation op_hear_many = {
    .name = "hear_many", .object = &object, .in_event = hear_many};
static const struct force_operation op_take = {
    .name = "take", .object = &object, .in_thread = take, .in_event = take};
static const struct force_operation op_await = {
    .name = "await", .object = &object, .in_thread = await};
const struct force_operation *const force_operations[] = {
    &op_send, &op_send_until, &op_begin, &op_cancel, &op_hear, &op_hear_many, &op_take, &op_await};
