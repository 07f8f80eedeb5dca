/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The board's radio, which threads and events use while they are interrupted. Nobody else is on the
 * air, so each frame is sent if its transfer is not cancelled.
 *
 * Laws: each transfer that was begun ends, with the result that fits what was done to it; so does a
 * measurement; no packet is left; and the driver does not take an interrupt, at whatever moment it
 * comes, for a failure of the radio.
 *
 * A radio of bytes may take noise for a signal, so a frame that is sent only if the channel is
 * clear may find it busy. The forced interrupt can hold up one of its bytes, whose frame is then
 * spoilt: it is counted, and its transfer fails.
 */
#include <lichen/notify.h>
#include <lichen/packet.h>
#include <lichen/radio.h>

#include "force.h"
#include "waiting.h"

enum {
    LENGTH = 20,
    WAIT_MS = 400, /* all frames have been sent by then */
    RUN_MS = 3000,
    ROUNDS_MAX = 1000, /* of a millisecond, until the stretch's frame has been sent */
};

static const char owner[] ARCH_TEXT_PLACED(owner) = "force";

/* It asks for no acknowledgment. A radio of bytes sends frames whose fifth byte is the length of
 * their payload. */
static const uint8_t frame[LENGTH] = {0, 2, 0, 1, LENGTH - 7, 0x22};

static struct radio_transfer transfers[FORCE_ACTORS + 1];
static struct radio_measurement measurement;
static volatile uint8_t begun[FORCE_ACTORS + 1];
static volatile uint8_t cancelled, has_measured;
static struct radio_counters before;

EVENT(radio_received)
{
}

NOTIFY(sent);

EVENT(ended)
{
    notify_post(&sent);
}

/* -------- operations */

static void begin(unsigned actor)
{
    struct radio_transfer *transfer = &transfers[actor];

    if (packet_alloc(&transfer->packet, owner, 0, LENGTH) == 0) {
        packet_write(transfer->packet, 0, frame, LENGTH);
        begun[actor] = 1;
        transfer->flags = actor % 2 == 0 ? RADIO_IF_CLEAR : 0;
        force_expect(radio_send(transfer) == 0);
    }
}

/* The stretch waits until its frame has been sent, so interrupts are forced into all of that. One
 * thread waits for it. */
static void send(unsigned actor)
{
    bool waits = actor == FORCE_STRETCH;

    transfers[actor].ended = waits ? &ended : 0;
    begin(actor);
    while (waits && transfers[actor].active) {
        notify_wait(&sent);
    }
}

static void cancel(unsigned actor __attribute__((unused)))
{
    int error = radio_cancel(&transfers[FORCE_STRETCH]);
    force_expect(error == 0 || error == ERR_BUSY || error == ERR_EMPTY);
    if (error == 0) {
        cancelled = 1;
    }
}

static void measure(unsigned actor __attribute__((unused)))
{
    int error = radio_measure(&measurement);
    force_expect(error == 0 || error == ERR_BUSY || error == ERR_INVALID);
    has_measured |= error == 0;
}

static void listen(unsigned actor __attribute__((unused)))
{
    radio_listen(true);
}

static void unlisten(unsigned actor __attribute__((unused)))
{
    radio_listen(false);
}

static int set(uint8_t channel)
{
    const struct radio_settings settings = {
        .channel = channel, .dbm = radio_facts.dbm_least, .pan = 0x22, .short_address = 1};

    return radio_set(&settings);
}

static void change(unsigned actor __attribute__((unused)))
{
    force_expect(set(radio_facts.channel_last) == 0);
}

/* -------- the object */

static void prepare(void)
{
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        begun[actor] = 0;
        transfers[actor].ended = 0;
    }
    cancelled = has_measured = 0;
    radio_count(&before);
    force_expect(set(radio_facts.channel_first) == 0);
}

static void enter_listening(void)
{
    radio_listen(true);
    pass(WAIT_MS);
}

static bool settle(void)
{
    return pass_while(transfers[FORCE_STRETCH].active, ROUNDS_MAX);
}

/* A radio that knows frames can say when they begin. */
static bool is_of_bytes(void)
{
    return !(radio_facts.capabilities & RADIO_CAN_TELL_TIME);
}

static bool may_find_busy(const struct radio_transfer *transfer)
{
    return is_of_bytes() && (transfer->flags & RADIO_IF_CLEAR) != 0;
}

/* Returns whether the frame was spoilt. */
static bool check_transfer(unsigned actor)
{
    const struct radio_transfer *transfer = &transfers[actor];
    bool was_cancelled = actor == FORCE_STRETCH && cancelled;
    bool was_busy = may_find_busy(transfer) && transfer->result == ERR_CHANNEL;
    bool was_spoilt = is_of_bytes() && transfer->result == ERR_IO;

    force_expect(!transfer->active);
    force_expect(was_busy || was_spoilt || transfer->result == (was_cancelled ? ERR_CANCELLED : 0));
    force_expect(transfer->sent == (was_cancelled || was_busy ? 0 : 1));
    packet_free(transfer->packet);
    return was_spoilt;
}

static void check(void)
{
    struct radio_counters after;
    uint16_t spoilt = 0;

    begin(FORCE_CONDUCTOR);
    pass(WAIT_MS);
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        if (begun[actor] && check_transfer(actor)) {
            spoilt++;
        }
    }
    force_expect(!measurement.active);
    force_expect(!has_measured || measurement.result == 0 || measurement.result == ERR_CANCELLED);
    force_expect(packet_pool.used == 0);
    radio_count(&after);
    force_expect(after.restarts == before.restarts);
    force_expect(spoilt <= 1);
    force_expect(after.underrun == before.underrun + spoilt);
}

static const struct force_object object = {.prepare = prepare, .settle = settle, .check = check};

/* A second interrupt is forced only where memory has changed, which says nothing of the radio. */
static const struct force_state asleep = {.name = "asleep", .lasts_ms = RUN_MS, .alone = true};
static const struct force_state listening = {
    .name = "listening", .enter = enter_listening, .lasts_ms = RUN_MS, .alone = true};
const struct force_state *const force_states[] = {&asleep, &listening};

static const struct force_operation op_send = {
    .name = "send", .object = &object, .in_thread = send};
static const struct force_operation op_begin = {
    .name = "begin", .object = &object, .in_event = begin};
static const struct force_operation op_cancel = {
    .name = "cancel", .object = &object, .in_event = cancel};
static const struct force_operation op_measure = {
    .name = "measure", .object = &object, .in_event = measure};
static const struct force_operation op_listen = {
    .name = "listen", .object = &object, .in_event = listen};
static const struct force_operation op_unlisten = {
    .name = "unlisten", .object = &object, .in_event = unlisten};
static const struct force_operation op_change = {
    .name = "change", .object = &object, .in_event = change};
const struct force_operation *const force_operations[] = {
    &op_send, &op_begin, &op_cancel, &op_measure, &op_listen, &op_unlisten, &op_change};
