/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link with two threads: the tests of link.c, and what only threads can hold up. */
#include <lichen/alarm.h>
#include <lichen/am.h>

#include "../link/fake_radio.h"
#include "../link/played.h"
#include "test.h"

LINK_THREADS(LINK_MAIN_STACK, LINK_TX_STACK);

enum { TEXT_OF = 8 };

static void expect_message(uint8_t value)
{
    struct am_message message;
    uint8_t byte;

    expect_equal(am_try_receive(&messages, &message, &byte, 1), 0);
    expect_equal(byte, value);
}

/* Nothing that interrupts say is lost while net-main cannot run: three packets and a timer wait for
 * it, and two packets with the driver. */
TEST(with_all_places_full_nothing_is_lost)
{
    struct link_address parent = link_short(PLAYED_OTHER);

    played_renew();
    uint16_t sent = fake.sent;
    thread_set_priority(thread_self(), PRIORITY_MAX);
    for (uint8_t i = 0; i < 3; i++) {
        expect(fake_receive(frame,
                            compose(PLAYED_OWN, PLAYED_OTHER, next_sequence++, PLAYED_TYPE, i)));
    }
    expect_equal(link_poll(&parent, 60000), 0);
    expect(fake_receive(frame, compose(PLAYED_OWN, PLAYED_OTHER, next_sequence++, TEXT_OF, 77)));
    expect(fake_receive(frame, compose(PLAYED_OWN, PLAYED_OTHER, next_sequence++, TEXT_OF, 78)));
    expect(!fake_receive(frame, compose(PLAYED_OWN, PLAYED_OTHER, next_sequence++, TEXT_OF, 79)));
    expect_no_count();
    thread_set_priority(thread_self(), PRIORITY_APP);
    sleep_ms(PLAYED_SETTLE_MS);
    for (uint8_t i = 0; i < 3; i++) {
        expect_count(i);
    }
    expect_message(77);
    expect_message(78);
    expect_equal(fake.sent, sent + 1); /* the request for data */
    expect_equal(link_poll(&parent, 0), 0);
}

/* The radio's end interrupts the thread that makes the next frame. */
TEST(a_frame_is_made_while_the_one_before_it_ends)
{
    enum { ROUNDS = 160, STEP_US = 3, AIR_US = 2000, BEFORE_US = 300 };

    played_renew();
    fake.air_us = AIR_US;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint16_t sent = fake.sent;
        expect_equal(am_begin(&transfers[0], AM_ALL, PLAYED_TYPE, payload, 1), 0);
        sleep_exact_us(AIR_US - BEFORE_US + i * STEP_US);
        expect_equal(am_begin(&transfers[1], AM_ALL, PLAYED_TYPE, payload, 2), 0);
        await_end(&transfers[1]);
        expect_equal(transfers[1].result, 0);
        expect_equal(fake.sent, sent + 2);
        expect_equal(fake_sent(0)->length, fake_sent(1)->length + 1);
    }
}
