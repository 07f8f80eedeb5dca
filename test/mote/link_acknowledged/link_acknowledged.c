/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An acknowledgment has a number and no address, so those of other motes' frames are told from this
 * one's by when they began, which the radio's driver knows: RADIO_ANSWERS.
 */
#include <lichen/alarm.h>
#include <lichen/am.h>

#include "../link/fake_radio.h"
#include "test.h"

PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16);
LINK_NEIGHBOURS(1);

enum {
    OWN = 1,
    OTHER = 2,
    COUNT = 6,
    TRIES = 4,
    AIR_US = 20000,
    STEP_US = 1000,
    ACK = 0x02,
    ANNOUNCES = 0x10,
};

static struct link_transfer transfer;

static void open(void)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};

    fake_renew();
    fake.air_us = 500;
    expect_equal(link_open(&settings), 0);
}

static void acknowledge(uint8_t sequence, uint8_t flags)
{
    const uint8_t ack[] = {(uint8_t)(ACK | flags), 0, sequence};

    expect(fake_receive(ack, sizeof(ack)));
}

/* Sends a frame for which nobody answers but the test. */
static void begin(void)
{
    const uint8_t payload = 0;

    for (unsigned i = 0; i < TRIES; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_begin(&transfer, OTHER, COUNT, &payload, 1), 0);
}

static void await_try(uint16_t sent)
{
    while (fake.sent != sent) {
        sleep_exact_us(100);
    }
}

static void await_end(void)
{
    while (transfer.active) {
        sleep_ms(1);
    }
}

/* Each try is answered. */
static void answer(bool in_time)
{
    open();
    fake.answers_never = !in_time;
    uint16_t sent = fake.sent;
    begin();
    for (unsigned i = 1; i <= TRIES && transfer.active; i++) {
        await_try((uint16_t)(sent + i));
        acknowledge(fake_sent(0)->bytes[2], 0);
    }
    await_end();
}

TEST(one_that_begins_behind_the_frame_is_its_own)
{
    answer(true);
    expect_equal(transfer.result, 0);
    expect_equal(transfer.sent, 1);
}

TEST(one_that_does_not_is_anothers)
{
    answer(false);
    expect_equal(transfer.result, ERR_NO_ACK);
    expect_equal(transfer.sent, TRIES);
}

TEST(another_number_is_not_the_frames)
{
    open();
    uint16_t sent = fake.sent;
    begin();
    await_try((uint16_t)(sent + 1));
    acknowledge((uint8_t)(fake_sent(0)->bytes[2] + 1), 0);
    acknowledge(fake_sent(0)->bytes[2], ANNOUNCES);
    await_end();
    expect_equal(transfer.result, 0);
    expect(transfer.pending);
}

/* The number of the next frame is known: it counts up. */
TEST(one_that_comes_before_the_frame_has_ended_is_anothers)
{
    open();
    uint16_t sent = fake.sent;
    begin();
    await_end();
    uint8_t next = (uint8_t)(fake_sent(0)->bytes[2] + 1);
    expect_equal(fake.sent, sent + TRIES);
    fake.air_us = AIR_US;
    begin();
    for (unsigned us = 0; us < AIR_US / 2; us += STEP_US) {
        acknowledge(next, 0);
        sleep_exact_us(STEP_US);
        expect_equal(fake.sent, sent + TRIES);
    }
    await_end();
    expect_equal(fake_sent(0)->bytes[2], next);
    expect_equal(transfer.result, ERR_NO_ACK);
}

/* Then the alarm of its wait may be on its way while that of the next frame is set. Ticks of a
 * millisecond are too long for this test. */
TEST(one_that_comes_as_its_wait_ends_leaves_a_gap_behind_it)
{
    enum { FROM_US = 2550, TO_US = 2710, SWEEP_US = 1, BYTES = 20, GAP_US = 640, TICKS_US = 62 };
    static struct link_transfer next;
    static const uint8_t payload[BYTES];
    unsigned in_time = 0, late = 0;

    if (ARCH_FLASH_IS_APART) {
        return;
    }
    for (unsigned us = FROM_US; us < TO_US; us += SWEEP_US) {
        open();
        uint16_t sent = fake.sent;
        for (unsigned i = 0; i < TRIES; i++) {
            fake_plan(FAKE_UNACKNOWLEDGED);
        }
        expect_equal(am_begin(&transfer, OTHER, COUNT, payload, BYTES), 0);
        expect_equal(am_begin(&next, AM_ALL, COUNT, payload, BYTES), 0);
        await_try((uint16_t)(sent + 1));
        sleep_exact_us(us);
        acknowledge(fake_sent(0)->bytes[2], 0);
        uint64_t acknowledged_us = time_now_us();
        await_end();
        while (next.active) {
            sleep_ms(1);
        }
        if (transfer.sent == 1) {
            expect(fake.asked_us + TICKS_US >= acknowledged_us + GAP_US);
            in_time++;
        } else {
            late++;
        }
    }
    expect(in_time > 10 && late > 10);
}
