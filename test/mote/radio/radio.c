/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The calls of a radio, on a mote that nobody hears. */
#include <lichen/alarm.h>
#include <lichen/packet.h>
#include <lichen/power.h>
#include <lichen/print.h>
#include <lichen/radio.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "radio_of_chip.h"
#include "test.h"

enum {
    CHANNEL = 20,
    SHORT = 0x1234,
    CANCELS = 72,
    ON_AIR_US = 2000, /* the longest frame is on the air by then, and takes 4 ms */
    FRAME_MS = 10,    /* a frame takes less, with what the radio does around it */
    FOREVER_MS = 600,
};

static const struct radio_settings settings = {
    .channel = CHANNEL, .pan = 0x22, .short_address = SHORT, .flags = RADIO_FILTER};

static volatile unsigned ends;

EVENT(radio_received)
{
}

static volatile uint64_t ended_us;

EVENT(ended)
{
    ended_us = time_now_us();
    ends++;
}

static bool can(unsigned capability)
{
    return (radio_facts.capabilities & capability) != 0;
}

static void set(const struct radio_settings *wanted)
{
    expect_equal(radio_set(wanted), 0);
}

/* A data frame from a short address to another one. */
static packet_t frame_of(uint8_t length, bool asks)
{
    const uint8_t header[] = {(uint8_t)(0x41 | asks << 5), 0x88, 7, 0x22, 0, 2, 0, 1, 0};
    packet_t packet;

    expect_equal(packet_alloc(&packet, TEXT("test"), 0, length), 0);
    if (length >= sizeof(header)) {
        packet_write(packet, 0, header, sizeof(header));
    }
    return packet;
}

static void begin(struct radio_transfer *transfer, uint8_t length, uint8_t flags)
{
    transfer->ended = &ended;
    transfer->packet = frame_of(length, flags & RADIO_RETRY);
    transfer->flags = flags;
    expect_equal(radio_send(transfer), 0);
}

static void await_end(struct radio_transfer *transfer)
{
    for (unsigned ms = 0; transfer->active && ms < FOREVER_MS; ms++) {
        sleep_ms(1);
    }
    expect(!transfer->active);
}

/* The time at which the frame was on the air. The packet is freed. */
static uint64_t finish(struct radio_transfer *transfer)
{
    await_end(transfer);
    uint64_t time_us = packet_time_us(transfer->packet);
    packet_free(transfer->packet);
    return time_us;
}

static void expect_no_packet_left(void)
{
    struct packet_statistics pool;

    packet_statistics(&pool);
    expect_equal(pool.free, pool.blocks);
}

TEST(it_says_what_it_is)
{
    expect_equal(radio_facts.channel_first, 11);
    expect_equal(radio_facts.channel_last, 26);
    expect_equal(radio_facts.frame_bytes, 127);
    expect(radio_facts.rates >= 1);
    expect_equal(radio_facts.rates > 1, can(RADIO_CAN_RATES));
}

TEST(settings_that_it_lacks_are_refused)
{
    struct radio_settings wrong = settings;

    wrong.channel = 10;
    expect_equal(radio_set(&wrong), ERR_INVALID);
    wrong.channel = 27;
    expect_equal(radio_set(&wrong), ERR_INVALID);
    wrong = settings;
    wrong.rate = radio_facts.rates;
    expect_equal(radio_set(&wrong), ERR_INVALID);
    wrong = settings;
    wrong.flags = RADIO_ACKNOWLEDGE;
    expect_equal(radio_set(&wrong), ERR_INVALID);
    set(&settings);
}

TEST(a_frame_is_sent_by_a_radio_that_slept)
{
    static struct radio_transfer transfer;

    ends = 0;
    uint64_t before = time_now_us();
    begin(&transfer, 60, 0);
    expect(transfer.active);
    await_end(&transfer);
    uint64_t after = time_now_us();
    expect_equal(transfer.result, 0);
    expect_equal(transfer.sent, 1);
    expect_equal(ends, 1);
    uint64_t start = finish(&transfer);
    expect(start + TIME_ERROR_US > before);
    expect(start < after);
}

TEST(the_time_of_a_frame_stays_with_its_packet)
{
    static struct radio_transfer transfer;
    packet_t rest;

    begin(&transfer, 60, 0);
    expect_equal(packet_time_us(transfer.packet), 0);
    await_end(&transfer);
    uint64_t start = packet_time_us(transfer.packet);
    expect(start != 0);
    expect_equal(packet_split(transfer.packet, 20, &rest), 0);
    packet_t copy = rest;
    packet_ref(rest);
    expect_equal(packet_unshare(&copy), 0);
    expect(copy != rest);
    expect_equal(packet_time_us(rest), start);
    expect_equal(packet_time_us(copy), start);
    packet_free(copy);
    packet_free(rest);
    expect_equal(finish(&transfer), start);
}

TEST(frames_that_are_too_long_or_empty_are_refused)
{
    static struct radio_transfer transfer;

    transfer.packet = frame_of(126, false);
    expect_equal(radio_send(&transfer), ERR_INVALID);
    packet_trim_back(transfer.packet, 126);
    expect_equal(radio_send(&transfer), ERR_INVALID);
    packet_free(transfer.packet);
    expect(!transfer.active);
}

TEST(ways_that_it_lacks_are_refused)
{
    static struct radio_transfer transfer;

    transfer.packet = frame_of(20, false);
    transfer.flags = RADIO_CSMA;
    transfer.csma_retries = 6;
    expect_equal(radio_send(&transfer), ERR_INVALID);
    transfer.csma_retries = 0;
    transfer.exponent_least = 5;
    transfer.exponent_most = 4;
    expect_equal(radio_send(&transfer), ERR_INVALID);
    transfer.flags = RADIO_RETRY;
    transfer.frame_retries = 8;
    expect_equal(radio_send(&transfer), ERR_INVALID);
    packet_free(transfer.packet);
}

TEST(frames_are_sent_in_the_order_of_their_calls)
{
    static struct radio_transfer first, second, third;

    begin(&first, 125, 0);
    begin(&second, 20, RADIO_IF_CLEAR);
    begin(&third, 9, 0);
    expect_equal(radio_send(&second), ERR_BUSY);
    uint64_t third_us = finish(&third);
    expect(!first.active && !second.active);
    uint64_t first_us = finish(&first), second_us = finish(&second);
    expect(first_us + 4096 < second_us);
    expect(second_us < third_us);
}

/* From one frame to the next, which waits for it. */
static uint32_t next_after_us(bool changes)
{
    static struct radio_transfer first, second;

    begin(&first, 125, 0);
    begin(&second, 20, 0);
    sleep_exact_us(ON_AIR_US);
    if (changes) {
        set(&settings);
    }
    uint64_t first_us = finish(&first);
    return (uint32_t)(finish(&second) - first_us);
}

/* That takes a while, which tells that it is not left for later. */
TEST(settings_are_changed_between_two_frames)
{
    enum { CHANGE_US = 100 };

    set(&settings);
    radio_listen(true);
    sleep_ms(FRAME_MS);
    (void)next_after_us(false); /* the first frames make a comparison of clocks */
    uint32_t usual_us = next_after_us(false);
    expect(next_after_us(true) > usual_us + CHANGE_US);
    radio_listen(false);
}

/* The start of the last try is known from when the radio waits no longer: to two ticks of 31 us,
 * and what the driver reads of the tries. */
TEST(nobody_acknowledges)
{
    enum { WAIT_US = 864, ERROR_US = 120 };
    static struct radio_transfer transfer = {
        .frame_retries = 2, .csma_retries = 3, .exponent_most = 4};

    if (!can(RADIO_CAN_RETRY)) {
        return;
    }
    sleep_ms(1500); /* until the crystal runs; then the first frame makes a comparison of clocks */
    begin(&transfer, 30, 0);
    (void)finish(&transfer);
    begin(&transfer, 30, 0);
    uint64_t start = finish(&transfer);
    uint32_t without_us = (uint32_t)(ended_us - start);
    begin(&transfer, 30, RADIO_CSMA | RADIO_RETRY);
    start = finish(&transfer);
    expect_equal(transfer.result, ERR_NO_ACK);
    expect_equal(transfer.sent, 3);
    uint32_t waited_us = (uint32_t)(ended_us - start) - without_us;
    expect(waited_us > WAIT_US - ERROR_US && waited_us < WAIT_US + ERROR_US);
}

/* That takes longer than anything else without a backoff. */
TEST(the_longest_frame_is_sent_eight_times)
{
    static struct radio_transfer transfer = {.frame_retries = 7};

    if (!can(RADIO_CAN_RETRY)) {
        return;
    }
    begin(&transfer, 125, RADIO_RETRY);
    (void)finish(&transfer);
    expect_equal(transfer.result, ERR_NO_ACK);
    expect_equal(transfer.sent, 8);
}

TEST(a_transfer_that_waits_is_cancelled)
{
    static struct radio_transfer first, second;

    begin(&first, 100, 0);
    begin(&second, 20, 0);
    expect_equal(radio_cancel(&second), 0);
    expect(!second.active);
    expect_equal(second.result, ERR_CANCELLED);
    expect_equal(radio_cancel(&second), ERR_EMPTY);
    (void)finish(&second);
    (void)finish(&first);
    expect_equal(first.result, 0);
}

TEST(a_transfer_that_is_on_the_air_is_not_cancelled)
{
    static struct radio_transfer transfer;

    radio_listen(true);
    sleep_ms(FRAME_MS);
    begin(&transfer, 125, 0);
    sleep_exact_us(ON_AIR_US);
    expect_equal(radio_cancel(&transfer), ERR_BUSY);
    (void)finish(&transfer);
    expect_equal(transfer.result, 0);
}

/* Cancelled at once, and at all moments until it is on the air. */
TEST(a_transfer_that_is_being_prepared_is_cancelled)
{
    static struct radio_transfer transfer;
    unsigned cancelled = 0;
    struct radio_counters before, after;

    radio_listen(CANCEL_LISTENS);
    radio_count(&before);
    for (unsigned i = 0; i < CANCELS; i++) {
        begin(&transfer, 100, RADIO_IF_CLEAR);
        sleep_exact_us(i * CANCEL_STEP_US);
        int error = radio_cancel(&transfer);
        expect(error == 0 || error == ERR_BUSY);
        (void)finish(&transfer);
        expect_equal(transfer.result, error == 0 ? ERR_CANCELLED : 0);
        cancelled += error == 0;
        sleep_ms(1);
    }
    radio_count(&after);
    expect(cancelled > 5 && cancelled < CANCELS);
    expect_equal(after.sent - before.sent, CANCELS - cancelled);
    expect_equal(after.restarts, before.restarts);
    radio_listen(true);
}

static struct radio_transfer *prepared;
static volatile int cancel_result;

EVENT(cancels)
{
    cancel_result = radio_cancel(prepared);
}
static ALARM(canceller, cancels);

/* By an event, which may come between two pieces of a frame that is being copied. */
TEST(a_transfer_that_is_being_prepared_is_cancelled_by_an_event)
{
    static struct radio_transfer transfer;
    unsigned cancelled = 0;
    struct radio_counters before, after;

    prepared = &transfer;
    radio_listen(CANCEL_LISTENS);
    radio_count(&before);
    for (unsigned i = 0; i < CANCELS; i++) {
        begin(&transfer, 100, RADIO_IF_CLEAR);
        expect_equal(alarm_set(&canceller, i * CANCEL_STEP_US * 3 / 2), 0);
        sleep_ms(FRAME_MS);
        expect(!canceller.is_set && !transfer.active);
        bool is_cancelled = cancel_result == 0;
        expect_equal(transfer.result, is_cancelled ? ERR_CANCELLED : 0);
        packet_free(transfer.packet);
        cancelled += is_cancelled;
    }
    radio_count(&after);
    expect(cancelled > 5 && cancelled < CANCELS);
    expect_equal(after.sent - before.sent, CANCELS - cancelled);
    expect_equal(after.restarts, before.restarts);
    radio_listen(true);
}

static void go_at(struct radio_transfer *transfer, uint64_t deadline_us)
{
    sleep_until_us(deadline_us);
    expect(transfer->active);
    expect_equal(radio_go(transfer), 0);
}

TEST(a_frame_that_is_held_is_sent_when_the_radio_is_told)
{
    static struct radio_transfer transfer;

    if (!can(RADIO_CAN_HOLD)) {
        return;
    }
    set(&settings);
    radio_listen(true);
    sleep_ms(FRAME_MS);
    uint64_t go_us = time_now_us() + FRAME_MS * TIME_US_PER_MS;
    begin(&transfer, 60, RADIO_HOLD | RADIO_IF_CLEAR);
    go_at(&transfer, go_us);
    await_end(&transfer);
    expect_equal(transfer.result, 0);
    expect(packet_time_us(transfer.packet) >= go_us);
    expect_equal(radio_go(&transfer), ERR_EMPTY);
    for (unsigned i = 0; i < 2; i++) { /* again, with another frame between */
        static struct radio_transfer other;
        transfer.flags = RADIO_HOLD | RADIO_IF_CLEAR | RADIO_AGAIN;
        expect_equal(radio_send(&transfer), 0);
        go_at(&transfer, time_now_us() + FRAME_MS * TIME_US_PER_MS);
        await_end(&transfer);
        expect_equal(transfer.result, 0);
        expect_equal(transfer.sent, 1);
        begin(&other, 20, 0);
        expect(finish(&other) != 0);
    }
    packet_free(transfer.packet);
    expect_no_packet_left();
}

/* What is sent behind it is the other frame, which is far shorter. */
TEST(a_frame_that_is_held_is_cancelled)
{
    enum { OTHER_US = 125 * 32 - 2 * TIME_ERROR_US };
    static struct radio_transfer held, next;

    if (!can(RADIO_CAN_HOLD)) {
        return;
    }
    set(&settings);
    radio_listen(true);
    begin(&held, 125, RADIO_HOLD | RADIO_IF_CLEAR);
    begin(&next, 20, RADIO_IF_CLEAR);
    sleep_ms(FRAME_MS);
    expect(held.active && next.active);
    expect_equal(radio_cancel(&held), 0);
    expect_equal(held.result, ERR_CANCELLED);
    packet_free(held.packet);
    uint64_t next_us = finish(&next);
    expect_equal(next.result, 0);
    expect(next_us != 0 && ended_us - next_us < OTHER_US);
    begin(&held, 30, RADIO_AGAIN | RADIO_IF_CLEAR);
    expect(finish(&held) != 0);
    expect_equal(held.result, 0);
    expect_no_packet_left();
}

TEST(the_channel_is_measured_while_it_listens)
{
    static struct radio_measurement measurement = {.ended = &ended};

    expect_equal(radio_measure(&measurement), 0);
    if (measurement.active) {
        expect_equal(radio_measure(&measurement), ERR_BUSY);
    }
    sleep_ms(FRAME_MS);
    expect(!measurement.active);
    expect_equal(measurement.result, 0);
    expect(measurement.dbm == -94 || measurement.dbm == -95);
    expect(measurement.is_clear);
    expect_equal(radio_measure(&measurement), 0);
    bool was_active = measurement.active;
    radio_listen(false);
    expect(!measurement.active);
    expect_equal(measurement.result, was_active ? ERR_CANCELLED : 0);
    expect_equal(radio_measure(&measurement), ERR_INVALID);
}

TEST(nothing_is_received)
{
    packet_t packet;

    expect_equal(radio_receive(&packet), ERR_EMPTY);
}

/* The calls in any order, at any distance: all transfers end, and nothing needs a restart. */
TEST(calls_in_any_order_leave_nothing_behind)
{
    static struct radio_transfer transfers[3];
    static struct radio_measurement measurement = {.ended = &ended};
    struct radio_counters counters;
    uint32_t random = 12345;

    for (unsigned i = 0; i < 400; i++) {
        random = random * 1103515245u + 12345u;
        unsigned choice = random >> 16 & 7;
        struct radio_transfer *transfer = &transfers[(random >> 20) % 3];
        switch (choice) {
        case 0:
        case 1:
        case 2:
            if (!transfer->active) {
                if (transfer->packet != PACKET_NONE) {
                    packet_free(transfer->packet);
                }
                begin(transfer, (uint8_t)(9 + (random >> 24) % 116),
                      choice == 0 ? RADIO_IF_CLEAR : 0);
            }
            break;
        case 3:
            (void)radio_cancel(transfer);
            break;
        case 4:
            radio_listen(random >> 24 & 1);
            break;
        case 5:
            set(&settings);
            break;
        case 6: {
            int error = radio_measure(&measurement);
            expect(error == 0 || error == ERR_BUSY || error == ERR_INVALID);
            break;
        }
        default:
            sleep_exact_us((random >> 22) * 3);
            break;
        }
    }
    radio_listen(false);
    for (unsigned i = 0; i < 3; i++) {
        (void)finish(&transfers[i]);
    }
    radio_count(&counters);
    expect_equal(counters.restarts, 0);
    expect_no_packet_left();
}

static uint32_t sleeps(uint8_t mode)
{
    struct power_choice choice;

    expect_equal(power_chosen(mode, &choice), 0);
    return choice.count;
}

/* As deeply as its clock of time stamps runs. */
TEST(the_mote_sleeps_while_it_listens)
{
    radio_listen(true);
    sleep_ms(FRAME_MS);
    uint32_t before = sleeps(SLEEP_LISTENING);
    sleep_ms(100);
    expect(sleeps(SLEEP_LISTENING) > before);
    radio_listen(false);
}

static volatile uint64_t rang_us;

EVENT(rings)
{
    rang_us = time_now_us();
}
static ALARM(bell, rings);

/* When the alarm has come, less when it should; waits for it. */
static uint32_t rings_late(uint64_t from, uint32_t us)
{
    sleep_ms(us / 1000 + 15);
    expect(!bell.is_set);
    expect(rang_us + TIME_ERROR_US >= from + us);
    return (uint32_t)(rang_us - (from + us - TIME_ERROR_US));
}

/* On the ATmega128 both count one timer. */
TEST(an_alarm_outlasts_the_radio)
{
    radio_listen(true);
    sleep_ms(FRAME_MS);
    uint64_t from = time_now_us();
    expect_equal(alarm_set(&bell, 20000), 0);
    radio_listen(false);
    expect(rings_late(from, 20000) < 2 * TIME_ERROR_US + 1000);
    uint32_t before = sleeps(CHIP_SLEEP_MODES - 1);
    sleep_ms(100);
    expect(sleeps(CHIP_SLEEP_MODES - 1) > before);
}

TEST(the_time_of_a_frame_is_known_after_an_alarm)
{
    static struct radio_transfer transfer;

    radio_listen(true);
    sleep_ms(FRAME_MS);
    uint64_t from = time_now_us();
    expect_equal(alarm_set(&bell, 2000), 0);
    expect(rings_late(from, 2000) < 2 * TIME_ERROR_US + 1000);
    uint64_t before = time_now_us();
    begin(&transfer, 60, 0);
    await_end(&transfer);
    uint64_t after = time_now_us();
    uint64_t start = finish(&transfer);
    expect(start + TIME_ERROR_US > before);
    expect(start < after);
    radio_listen(false);
}

TEST(it_sends_after_the_deepest_sleep)
{
    static struct radio_transfer transfer;

    sleep_ms(20000);
    begin(&transfer, 60, RADIO_IF_CLEAR);
    (void)finish(&transfer);
    expect_equal(transfer.result, 0);
    expect_no_packet_left();
}
