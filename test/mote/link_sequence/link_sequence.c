/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sequence numbers: a frame is a repetition if its number is the last one of its source, and was
 * heard at most 156 to 172 ms before. */
#include <string.h>

#include "../link/fake_radio.h"
#include "../link/played.h"
#include "net/link/link.h"
#include "test.h"

enum {
    OTHER = PLAYED_OTHER,
    THIRD = 3,
    REMEMBERED = 16,
    COUNTS_FOR_MS = 148,   /* and what receive_number takes, and ticks */
    COUNTS_UNTIL_MS = 188, /* and the soonest at which a number returns */
    NUMBERS = 256,
};

static uint16_t lost_at_first;

static void begin(void)
{
    sleep_ms(COUNTS_UNTIL_MS);
    played_renew();
    lost_at_first = losses(LOST_DUPLICATE);
}

static void receive_number(uint16_t from, uint8_t number)
{
    expect(fake_receive(frame, compose(PLAYED_OWN, from, number, PLAYED_TYPE, number)));
    sleep_ms(1);
}

static uint16_t repetitions(void)
{
    return (uint16_t)(losses(LOST_DUPLICATE) - lost_at_first);
}

static uint16_t untracked(void)
{
    struct link_counters counters;

    link_count(&counters);
    return counters.untracked;
}

TEST(an_equal_number_is_a_repetition_while_it_counts)
{
    begin();
    receive_number(OTHER, 200);
    receive_number(OTHER, 200);
    expect_equal(repetitions(), 1);
    expect_count(200);
    expect_no_count();
}

TEST(the_number_of_another_mote_is_none)
{
    begin();
    receive_number(OTHER, 200);
    receive_number(THIRD, 200);
    expect_equal(repetitions(), 0);
    expect_count(200);
    expect_count(200);
}

TEST(each_copy_renews_the_time)
{
    begin();
    receive_number(OTHER, 7);
    for (unsigned i = 1; i <= 4; i++) {
        sleep_ms(COUNTS_FOR_MS);
        receive_number(OTHER, 7);
        expect_equal(repetitions(), i);
    }
    expect_count(7);
    expect_no_count();
}

TEST(an_equal_number_is_new_before_a_counter_can_have_come_back)
{
    begin();
    for (unsigned i = 0; i < 3; i++) {
        receive_number(OTHER, 8);
        sleep_ms(COUNTS_UNTIL_MS - 2);
        expect_count(8);
    }
    expect_equal(repetitions(), 0);
}

/* Eight bits of a time come back after 4.2 s, and 64 bits of it in units of 16 after 18 minutes. */
TEST(a_number_of_long_ago_is_new)
{
    static const ARCH_FLASH uint32_t pauses_ms[] = {4194, 8389, 1073742};

    begin();
    for (uint8_t i = 0; i < 3; i++) {
        receive_number(OTHER, 9);
        sleep_ms(pauses_ms[i] - 2);
        expect_count(9);
    }
    receive_number(THIRD, 9);
    receive_number(OTHER, 9);
    expect_equal(repetitions(), 0);
}

/* The same, while others are heard. */
TEST(a_number_grows_old_while_others_are_heard)
{
    begin();
    receive_number(OTHER, 9);
    expect_count(9);
    for (uint8_t i = 0; i < 42; i++) {
        receive_number(THIRD, i);
        sleep_ms(100 - 2);
        expect_count(i);
    }
    receive_number(OTHER, 9);
    expect_equal(repetitions(), 0);
    expect_count(9);
}

TEST(a_frame_between_makes_an_earlier_number_a_new_one)
{
    begin();
    receive_number(OTHER, 1);
    receive_number(OTHER, 2);
    receive_number(OTHER, 1);
    expect_equal(repetitions(), 0);
    expect_count(1);
    expect_count(2);
    expect_count(1);
}

TEST(sixteen_motes_are_remembered_and_talkers_stay)
{
    begin();
    uint16_t before = untracked();
    for (uint8_t i = 0; i < REMEMBERED; i++) {
        receive_number((uint16_t)(100 + i), i);
        expect_count(i);
    }
    receive_number(200, 50);
    expect_equal(untracked(), before + 1);
    receive_number(200, 50);
    expect_equal(untracked(), before + 2);
    expect_count(50);
    expect_count(50);
    for (uint8_t i = 0; i < REMEMBERED; i++) {
        receive_number((uint16_t)(100 + i), i);
    }
    expect_equal(repetitions(), REMEMBERED);
    expect_no_count();
}

TEST(a_mote_that_is_silent_makes_place)
{
    begin();
    uint16_t before = untracked();
    for (uint16_t i = 0; i < REMEMBERED + 4; i++) {
        receive_number((uint16_t)(300 + i), 1);
        expect_count(1);
        sleep_ms(COUNTS_UNTIL_MS);
    }
    receive_number(300, 1);
    receive_number(300, 1);
    expect_equal(untracked(), before);
    expect_equal(repetitions(), 1);
}

/* Long and short addresses are apart, and those of one lot. */
TEST(extended_addresses_are_told_apart)
{
    static uint8_t bytes[] = {0x41, 0xc8, 77,   LINK_PAN_USUAL, 0, PLAYED_OWN, 0, 1, 2, 3, 4, 5, 6,
                              7,    8,    0x3f, PLAYED_TYPE,    5};

    begin();
    for (uint8_t i = 0; i < REMEMBERED / 2; i++) {
        bytes[7] = i;
        expect(fake_receive(bytes, sizeof(bytes)));
        sleep_ms(2);
        expect_count(5);
        expect(fake_receive(bytes, sizeof(bytes)));
        sleep_ms(2);
        expect_equal(repetitions(), i + 1u);
    }
}

/* -------- sent */

static uint8_t send_to(uint16_t to)
{
    expect_equal(am_send(to, PLAYED_TYPE, payload, 1), 0);
    return fake_sent(0)->bytes[2];
}

TEST(numbers_follow_one_another)
{
    begin();
    fake.air_us = 100;
    uint8_t number = send_to(OTHER);
    expect_equal(send_to(THIRD), (uint8_t)(number + 1));
    expect_equal(send_to(LINK_ALL), (uint8_t)(number + 2));
}

/* Sends to a third mote until a number would come back with the next frame. */
static void send_until_before(uint8_t number)
{
    while (send_to(THIRD) != (uint8_t)(number - 1)) {
    }
}

/* Receivers of other systems compare with the last number, however old it is. */
TEST(a_number_is_not_the_last_one_to_the_same_mote)
{
    begin();
    fake.air_us = 100;
    (void)send_to(LINK_ALL); /* its number is left out before the loop's end */
    (void)send_to(THIRD);
    uint8_t to_other = send_to(OTHER);
    send_until_before(to_other);
    expect_equal(send_to(OTHER), (uint8_t)(to_other + 1));
}

TEST(a_number_is_not_the_last_one_to_all)
{
    begin();
    fake.air_us = 100;
    uint8_t to_all = send_to(LINK_ALL);
    for (unsigned i = 0; i < NUMBERS; i++) {
        expect(send_to(THIRD) != to_all);
    }
}

TEST(the_number_of_a_frame_to_all_is_no_motes_last_one)
{
    begin();
    fake.air_us = 100;
    (void)send_to(LINK_ALL);
    (void)send_to(THIRD);
    uint8_t to_other = send_to(OTHER);
    send_until_before(to_other);
    expect_equal(send_to(LINK_ALL), (uint8_t)(to_other + 1));
}
