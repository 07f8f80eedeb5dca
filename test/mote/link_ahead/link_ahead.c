/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A frame is made while the one before it is on the air, and a radio that can holds it. Its sender
 * gives it up at all moments from before that until it is on the air itself. Then it is not sent;
 * the frames before and behind it are; and no memory is lost.
 */
#include <lichen/alarm.h>
#include <lichen/am.h>
#include <lichen/radio.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

enum {
    OWN = 1,
    TYPE = 6,
    LONG_BYTES = 60, /* 3 ms with its backoff */
    SHORT_BYTES = 8,
    STEP_US = 233,
    MOMENTS = 48,
    FOREVER_MS = 100,
};

PACKET_POOL(ARCH_FLASH_IS_APART ? 5 : 16);

static struct link_transfer before, ahead, behind;
static const uint8_t payload[LONG_BYTES];

static uint16_t frames_sent(void)
{
    struct radio_counters counters;

    radio_count(&counters);
    return counters.sent;
}

static uint8_t blocks_used(void)
{
    struct packet_statistics pool;

    packet_statistics(&pool);
    return (uint8_t)(pool.blocks - pool.free);
}

static void open(void)
{
    const struct link_settings settings = {
        .channel = 15, .pan = LINK_PAN_USUAL, .short_address = OWN};

    expect_equal(link_open(&settings), 0);
}

static void begin(struct link_transfer *transfer, uint8_t length)
{
    expect_equal(am_begin(transfer, AM_ALL, TYPE, payload, length), 0);
}

static void await_end(const struct link_transfer *transfer)
{
    for (unsigned ms = 0; transfer->active && ms < FOREVER_MS; ms++) {
        sleep_ms(1);
    }
    expect(!transfer->active);
}

/* The others, and the end. */
static void expect_the_others(void)
{
    begin(&behind, SHORT_BYTES);
    await_end(&before);
    await_end(&behind);
    expect_equal(before.result, 0);
    expect_equal(before.sent, 1);
    expect_equal(behind.result, 0);
    expect_equal(behind.sent, 1);
    expect_equal(blocks_used(), 0);
}

TEST(a_transfer_is_cancelled_at_any_moment)
{
    unsigned cancelled = 0;

    open();
    for (unsigned i = 0; i < MOMENTS; i++) {
        uint16_t sent = frames_sent();
        begin(&before, LONG_BYTES);
        begin(&ahead, SHORT_BYTES);
        sleep_exact_us(i * STEP_US);
        bool was_active = ahead.active;
        bool is_cancelled = link_cancel(&ahead) == 0;
        expect_the_others();
        expect(!ahead.active);
        expect_equal(ahead.result, is_cancelled ? ERR_CANCELLED : 0);
        expect_equal(frames_sent() - sent, 3u - is_cancelled);
        cancelled += is_cancelled && was_active;
    }
    expect(cancelled > MOMENTS / 8 && cancelled < MOMENTS);
}

THREAD_STOPPED(sender, 384, PRIORITY_APP + 1)
{
    (void)!am_send(AM_ALL, TYPE, payload, SHORT_BYTES);
}

TEST(a_thread_ends_at_any_moment)
{
    unsigned given_up = 0;

    open();
    for (unsigned i = 0; i < MOMENTS; i++) {
        uint16_t sent = frames_sent();
        begin(&before, LONG_BYTES);
        (void)thread_start(&sender, 0);
        sleep_exact_us(i * STEP_US);
        thread_destroy(&sender);
        expect_the_others();
        uint16_t more = (uint16_t)(frames_sent() - sent);
        expect(more == 2 || more == 3);
        given_up += more == 2;
    }
    expect(given_up > MOMENTS / 8 && given_up < MOMENTS);
}
