/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A radio, which threads and events use while they are interrupted. The mote of these runs is a
 * bare chip: its radio does not answer, so what is forced is all that the driver does about that.
 *
 * Laws: each transfer that was begun ends, and so does a measurement; no packet is left.
 */
#include <lichen/notify.h>
#include <lichen/packet.h>
#include <lichen/radio.h>
#include <lichen/timer.h>

#include "force.h"

enum {
    LENGTH = 20,
    WAIT_MS = 20, /* all frames have been sent by then */
};

static const struct radio_settings settings = {.channel = 20, .pan = 0x22, .short_address = 1};

static const char force[] ARCH_TEXT_PLACED(force) = "force";

static struct radio_transfer transfers[FORCE_ACTORS + 1];
static struct radio_measurement measurement;
static volatile uint8_t begun[FORCE_ACTORS + 1];
static volatile uint8_t has_measured;

EVENT(radio_received)
{
}

NOTIFY(sent);

EVENT(ended)
{
    notify_post(&sent);
}

NOTIFY(awake);

EVENT(wakes)
{
    notify_post(&awake);
}
TIMER(alarm_clock, wakes);

/* -------- operations */

static void begin(unsigned actor)
{
    struct radio_transfer *transfer = &transfers[actor];
    if (packet_alloc(&transfer->packet, force, 0, LENGTH) == 0) {
        begun[actor] = 1;
        transfer->ways = actor % 2 == 0 ? RADIO_IF_CLEAR : 0;
        force_expect(radio_send(transfer) == 0);
    }
}

/* The stretch waits until its frame has been sent, so interrupts are forced into all of that. */
static void send(unsigned actor)
{
    transfers[actor].ended = &ended;
    begin(actor);
    while (transfers[actor].active) {
        notify_wait(&sent);
    }
}

static void cancel(unsigned actor __attribute__((unused)))
{
    int error = radio_cancel(&transfers[FORCE_STRETCH]);
    force_expect(error == 0 || error == ERR_BUSY || error == ERR_EMPTY);
}

static void measure(unsigned actor __attribute__((unused)))
{
    int error = radio_measure(&measurement);
    force_expect(error == 0 || error == ERR_BUSY || error == ERR_INVALID);
    has_measured |= error == 0;
}

static void unlisten(unsigned actor __attribute__((unused)))
{
    radio_listen(false);
}

static void pass(unsigned ms)
{
    force_expect(timer_arm_after(&alarm_clock, (uint64_t)ms * TIME_US_PER_MS) == 0);
    notify_wait(&awake);
}

/* -------- the object */

static void prepare(void)
{
    radio_listen(false);
    pass(2);
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        begun[actor] = 0;
    }
    has_measured = 0;
    force_expect(radio_set(&settings) == 0);
}

static bool is_failure(uint8_t result)
{
    return result == ERR_IO || result == ERR_TIMEOUT || result == ERR_CANCELLED;
}

static bool settle(void)
{
    if (!transfers[FORCE_STRETCH].active) {
        return false;
    }
    pass(1);
    return true;
}

static void check(void)
{
    struct packet_statistics pool;

    begin(FORCE_CONDUCTOR);
    pass(WAIT_MS);
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        if (begun[actor]) {
            force_expect(!transfers[actor].active);
            force_expect(is_failure(transfers[actor].result));
            packet_free(transfers[actor].packet);
        }
    }
    force_expect(!measurement.active);
    force_expect(!has_measured || is_failure(measurement.result));
    packet_statistics(&pool);
    force_expect(pool.free == pool.blocks);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

static const struct force_operation op_send = {
    .name = "send", .object = &object, .in_thread = send};
static const struct force_operation op_begin = {
    .name = "begin", .object = &object, .in_event = begin};
static const struct force_operation op_cancel = {
    .name = "cancel", .object = &object, .in_event = cancel};
static const struct force_operation op_measure = {
    .name = "measure", .object = &object, .in_event = measure};
static const struct force_operation op_unlisten = {
    .name = "unlisten", .object = &object, .in_event = unlisten};
const struct force_operation *const force_operations[] = {&op_send, &op_begin, &op_cancel,
                                                          &op_measure, &op_unlisten};
