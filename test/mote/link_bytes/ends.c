/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How a transfer ends that does not arrive: the channel, the radio, a deadline, a thread, a
 * cancellation. */
#include <lichen/thread.h>

#include "fake_driver.h"
#include "played.h"
#include "test.h"

TEST(a_channel_that_is_never_clear)
{
    renew();
    uint16_t sent = fake.sent;
    uint16_t lost = losses(LOST_CHANNEL);
    fake_plan(FAKE_BUSY, 65);
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), ERR_CHANNEL);
    expect_equal(fake.fate_count, 0);
    expect_equal(fake.sent, sent);
    expect_equal(losses(LOST_CHANNEL), lost + 1);
    expect(fake.least_backoff >= 1);
    expect(fake.most_backoff <= 32);
    fake_plan(FAKE_BUSY, 64);
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_nothing();
}

/* It is that behind a busy channel once, and not before each try that follows. */
TEST(a_short_backoff_is_followed_by_usual_ones)
{
    uint8_t most = 0;

    renew();
    for (uint8_t i = 0; i < 20; i++) {
        fake_plan(FAKE_BUSY, 1);
        fake_plan(FAKE_UNACKNOWLEDGED, 1);
        expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 1), 0);
        expect_equal(fake.fate_count, 0);
        fake.most_backoff = 0;
        sleep_ms(SETTLE_MS);
        expect(!transfers[0].active && transfers[0].sent == 2);
        most = fake.most_backoff > most ? fake.most_backoff : most;
    }
    expect(most > 16);
}

TEST(a_radio_that_fails)
{
    renew();
    uint16_t lost = losses(LOST_RADIO);
    fake_plan(FAKE_FAILS, 1);
    expect_equal(am_send(OTHER, COUNT, payload, 1), ERR_IO);
    expect_equal(losses(LOST_RADIO), lost + 1);
    expect_nothing();
}

/* Its bytes are the thread's. */
TEST(a_message_whose_deadline_passes_on_the_air_is_cut_off)
{
    renew();
    expect_equal(am_send_until(OTHER, COUNT, payload, 20, time_now_us() + 1000), ERR_TIMEOUT);
    expect_equal(fake.cut, 1);
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake.cut, 1);
    expect_nothing();
}

TEST(a_message_that_is_begun_is_copied_and_can_be_cancelled)
{
    const uint8_t wanted[] = {0x02, 0x03, 0x01, 0x02, 2, 0x22, COUNT, 8, 9};
    static struct link_transfer more[2];

    renew();
    payload[0] = 8;
    payload[1] = 9;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
    payload[0] = 0;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), ERR_BUSY);
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, payload, 2), 0);
    expect_equal(am_begin(&more[0], OTHER, COUNT, payload, 2), 0);
    expect_equal(am_begin(&more[1], OTHER, COUNT, payload, 2), ERR_FULL);
    expect_equal(frames_free(), 1);
    expect_equal(link_cancel(&transfers[0]), ERR_BUSY);
    expect_equal(link_cancel(&transfers[1]), 0);
    expect_equal(transfers[1].result, ERR_CANCELLED);
    expect_equal(link_cancel(&more[0]), 0);
    sleep_ms(SETTLE_MS);
    expect_equal(transfers[0].result, 0);
    expect_equal(transfers[0].sent, 1);
    expect_sent(wanted, sizeof(wanted));
    expect_equal(link_cancel(&transfers[0]), ERR_EMPTY);
    expect_nothing();
}

/* -------- threads that end */

THREAD_STOPPED(sender, 224, PRIORITY_APP)
{
    static uint8_t number;
    uint8_t bytes[2] = {++number, 0};

    for (;;) {
        (void)!am_send(OTHER, COUNT, bytes, sizeof(bytes));
    }
}

/* Its message, and its call, are on its stack, which the next one overwrites. */
TEST(a_thread_ends_at_any_moment_of_sending)
{
    renew();
    for (uint16_t us = 50; us < 6000; us += 83) {
        (void)thread_start(&sender, 0);
        sleep_until_us(time_now_us() + us);
        thread_destroy(&sender);
        expect_equal(byte_link_state.current == 0 || byte_link_state.is_on_air, true);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect_equal(fake.changed, 0);
    expect(fake.cut > 0);
    expect_nothing();
}

TEST(a_thread_ends_while_its_message_waits_behind_others)
{
    renew();
    uint16_t sent = fake.sent;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 2), 0);
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, payload, 2), 0);
    (void)thread_start(&sender, 0);
    sleep_ms(1);
    thread_destroy(&sender);
    sleep_ms(SETTLE_MS);
    expect(!transfers[0].active && !transfers[1].active);
    expect_equal(fake.sent, sent + 2);
    expect_equal(fake.cut, 0);
    expect_nothing();
}
