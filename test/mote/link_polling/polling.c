/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A child that asks its parent, over a radio whose behaviour each test plays.
 * test/mote/link_polling_software is the same over a radio that can do nothing by itself,
 * test/mote/link_polling_filtered over one that filters and acknowledges.
 */
#include <lichen/am.h>

#include <lichen/print.h>

#include "../link/fake_radio.h"
#include "../link/played.h"
#include "net/link/format.h"
#include "test.h"

enum {
    OWN = PLAYED_OWN,
    OTHER = PLAYED_OTHER,
    COUNT = PLAYED_TYPE,
    HEADER = PLAYED_HEADER,
};

/* After played_renew. */
static void open_asleep(void)
{
    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
}

TEST(a_child_polls_and_sleeps)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    expect(!fake.listens);
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    const uint8_t wanted[] = {0x63, 0x88, 0, 0x22, 0, OTHER, 0, OWN, 0, 4};
    expect_equal(fake_sent(0)->length, sizeof(wanted));
    for (unsigned i = 0; i < sizeof(wanted); i++) {
        expect(i == 2 || fake_sent(0)->bytes[i] == wanted[i]);
    }
    expect(!fake.listens);
    /* Next time there is something, and more behind it. */
    fake_plan(FAKE_ANNOUNCES);
    fake_plan(FAKE_ANNOUNCES);
    sleep_ms(9960);
    wait_for_sent((uint16_t)(sent + 2));
    expect(fake.listens);
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 50);
    frame[0] = 0x51;
    expect(fake_receive(frame, length));
    wait_for_sent((uint16_t)(sent + 3));
    expect(fake.listens);
    expect_count(50);
    receive(OWN, OTHER, COUNT, 51);
    expect(!fake.listens);
    expect_count(51);
    expect_equal(link_poll(&parent, 0), 0);
    sleep_ms(20000);
    expect_equal(fake.sent, sent + 3);
}

TEST(a_child_that_stays_awake_listens_between_polls)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    expect_equal(link_parent(&parent), ERR_EMPTY);
    expect_equal(link_poll(&parent, 10000), 0);
    parent = link_short(0);
    expect_equal(link_parent(&parent), 0);
    expect_equal(parent.short_address, OTHER);
    link_stay_awake(true);
    sleep_ms(PLAYED_SETTLE_MS);
    expect(fake.listens);
    link_stay_awake(false);
    expect(!fake.listens);
    expect_equal(link_poll(&parent, 0), 0);
    expect_equal(link_parent(&parent), ERR_EMPTY);
}

TEST(a_child_listens_if_the_acknowledgment_cannot_tell)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(10);
    expect_equal(fake.listens, !link_acks_tell());
    expect(fake_receive(frame, compose(OWN, OTHER, next_sequence++, 0, 0) - 3));
    sleep_ms(2);
    expect(!fake.listens);
    expect_equal(link_poll(&parent, 0), 0);
}

TEST(a_mote_that_sleeps_gets_its_acknowledgments)
{
    played_renew();
    open_asleep();
    expect_equal(am_send(OTHER, COUNT, payload, 2), 0);
    expect(!fake.listens);
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_send(OTHER, COUNT, payload, 2), ERR_NO_ACK);
    expect(!fake.listens);
}

/* A child that is asleep asks its parent, which announces packets to so many requests; returns how
 * many frames were sent before the first. */
static uint16_t ask(const struct link_address *parent, unsigned announced)
{
    played_renew();
    open_asleep();
    while (announced-- != 0) {
        fake_plan(FAKE_ANNOUNCES);
    }
    uint16_t sent = fake.sent;
    expect_equal(link_poll(parent, 10000), 0);
    wait_for_sent((uint16_t)(sent + 1));
    return sent;
}

TEST(a_parent_that_announces_and_does_not_send)
{
    struct link_address parent = link_short(OTHER);

    uint16_t lost = losses(LOST_NOT_SENT);
    ask(&parent, 1);
    sleep_ms(13); /* it listens for 19.5 ms */
    expect(fake.listens);
    sleep_ms(14);
    expect(!fake.listens);
    expect_equal(losses(LOST_NOT_SENT), lost + 1);
    expect_equal(link_poll(&parent, 0), 0);
}

/* Nor does it end the time for which the child listens. */
TEST(what_is_refused_is_no_answer)
{
    struct link_address parent = link_short(OTHER);

    ask(&parent, 1);
    uint16_t lost = losses(LOST_KIND);
    uint8_t length = compose(OWN, OTHER, next_sequence++, 0, 0);
    frame[0] = 0x43;
    frame[HEADER] = 7; /* no request for data */
    expect(fake_receive(frame, (uint8_t)(length - 2)));
    sleep_ms(2);
    expect_equal(losses(LOST_KIND), lost + 1);
    expect(fake.listens);
    receive(OWN, OTHER, COUNT, 52);
    expect(!fake.listens);
    expect_count(52);
    expect_equal(link_poll(&parent, 0), 0);
}

/* The time for which it listens begins anew with each request, so that for the first packet does
 * not end while the child asks for the second one. */
TEST(a_child_listens_for_the_second_packet_as_long_as_for_the_first)
{
    struct link_address parent = link_short(OTHER);

    uint16_t lost = losses(LOST_NOT_SENT);
    uint16_t sent = ask(&parent, 2);
    sleep_ms(10);
    fake.air_us = 15000;
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 50);
    frame[0] = 0x51; /* there is more */
    expect(fake_receive(frame, length));
    wait_for_sent((uint16_t)(sent + 2));
    sleep_ms(5);
    expect(fake.listens);
    expect_equal(losses(LOST_NOT_SENT), lost);
    receive(OWN, OTHER, COUNT, 51);
    expect(!fake.listens);
    expect_count(50);
    expect_count(51);
    expect_equal(link_poll(&parent, 0), 0);
}

EVENT_EXTERN(link_poll_vain);

/* The event was posted already when the answer took the timer back. */
TEST(a_time_that_ends_as_a_child_asks_again_does_not_make_it_sleep)
{
    struct link_address parent = link_short(OTHER);

    uint16_t lost = losses(LOST_NOT_SENT);
    uint16_t sent = ask(&parent, 2);
    fake.air_us = 8000;
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 52);
    frame[0] = 0x51; /* there is more */
    expect(fake_receive(frame, length));
    sleep_ms(1);
    event_post(&link_poll_vain);
    wait_for_sent((uint16_t)(sent + 2));
    sleep_ms(2);
    expect(fake.listens);
    expect_equal(losses(LOST_NOT_SENT), lost);
    receive(OWN, OTHER, COUNT, 53);
    expect(!fake.listens);
    expect_count(52);
    expect_count(53);
    expect_equal(link_poll(&parent, 0), 0);
}

/* The answer comes while the request is still being sent, and says that there is more; then there
 * is no block for the next request. It asks again with its next period. */
TEST(a_child_that_has_no_packet_to_ask_with_sleeps)
{
    struct link_address parent = link_short(OTHER);
    static packet_t held[64];
    unsigned count = 0;

    played_renew();
    open_asleep();
    fake.air_us = 20000;
    fake_plan(FAKE_ANNOUNCES);
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(10);
    while (count < 64 && packet_alloc(&held[count], TEXT("test"), 0, 1) == 0) {
        count++;
    }
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 50);
    frame[0] = 0x51;
    expect(fake_receive(frame, length));
    wait_for_sent((uint16_t)(sent + 1));
    sleep_ms(PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    expect(!fake.listens);
    while (count > 0) {
        packet_free(held[--count]);
    }
    expect_count(50);
    expect_equal(link_poll(&parent, 0), 0);
}

TEST(a_child_that_has_stopped_asks_for_nothing_more)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    fake.air_us = 20000;
    fake_plan(FAKE_ANNOUNCES);
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(10);
    uint8_t length = compose(OWN, OTHER, next_sequence++, COUNT, 50);
    frame[0] = 0x51; /* there is more */
    expect(fake_receive(frame, length));
    expect_equal(link_poll(&parent, 0), 0);
    sleep_ms(2 * PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    expect(!fake.listens);
    expect_count(50);
}

/* -------- requests and answers that are lost */

/* It asks in vain, four times. */
static void ask_unheard(const struct link_address *parent)
{
    bool by_radio = (radio_facts.capabilities & RADIO_CAN_RETRY) != 0;

    played_renew();
    open_asleep();
    for (unsigned i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    uint16_t sent = fake.sent;
    expect_equal(link_poll(parent, 10000), 0);
    wait_for_sent((uint16_t)(sent + (by_radio ? 1 : 4)));
    sleep_ms(4); /* an acknowledgment might still come */
}

/* It may be the acknowledgment that was lost. */
TEST(a_child_listens_after_a_request_that_is_not_acknowledged)
{
    struct link_address parent = link_short(OTHER);

    ask_unheard(&parent);
    uint16_t lost = losses(LOST_NOT_SENT);
    sleep_ms(4);
    expect(fake.listens);
    sleep_ms(20);
    expect(!fake.listens);
    expect_equal(losses(LOST_NOT_SENT), lost); /* nothing was announced */
    ask_unheard(&parent);
    receive(OWN, OTHER, COUNT, 54);
    expect(!fake.listens);
    expect_count(54);
    expect_equal(link_poll(&parent, 0), 0);
}

TEST(a_child_that_could_not_ask_does_not_listen)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    for (unsigned i = 0; i < 5; i++) {
        fake_plan(FAKE_BUSY);
    }
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(4 * PLAYED_SETTLE_MS);
    expect(!fake.listens);
    expect_equal(link_poll(&parent, 0), 0);
}

/* A period that ends meanwhile brings the next request after the answer, or the time for it. */
TEST(a_child_never_asks_while_it_listens)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    fake_plan(FAKE_ANNOUNCES);
    fake_plan(FAKE_ANNOUNCES);
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&parent, 10), 0);
    sleep_ms(18);
    expect_equal(fake.sent, sent + 1);
    wait_for_sent((uint16_t)(sent + 2));
    expect_equal(link_poll(&parent, 0), 0);
    sleep_ms(PLAYED_SETTLE_MS);
    expect(!fake.listens);
}

TEST(a_period_that_ends_while_a_child_asks_brings_one_request_more)
{
    struct link_address parent = link_short(OTHER);

    played_renew();
    open_asleep();
    uint16_t sent = fake.sent;
    fake.air_us = 20000;
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(10);
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(10 * PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent + 2);
    expect(!fake.listens);
    expect_equal(link_poll(&parent, 0), 0);
}

static void receive_numbered(uint16_t to, uint8_t number, uint8_t control, uint8_t value)
{
    uint8_t length = compose(to, OTHER, number, COUNT, value);

    frame[0] = control;
    expect(fake_receive(frame, length));
    sleep_ms(8);
}

/* The acknowledgment of the first one was lost. It says that more waits, so the child asks again.
 */
TEST(an_answer_that_comes_again_at_the_next_request_is_the_same)
{
    struct link_address parent = link_short(OTHER);

    ask(&parent, 1);
    receive_numbered(OWN, 7, 0x41, 60);
    expect(!fake.listens);
    expect_count(60);
    sleep_ms(9000); /* longer than other repetitions are known */
    uint16_t sent = ask(&parent, 2);
    uint16_t lost = losses(LOST_DUPLICATE);
    receive_numbered(OWN, 7, 0x51, 60);
    expect_no_count();
    expect_equal(losses(LOST_DUPLICATE), lost + 1);
    expect_equal(fake.sent, sent + 2);
    expect(fake.listens);
    receive_numbered(OWN, 8, 0x41, 61);
    expect(!fake.listens);
    expect_count(61);
    expect_equal(link_poll(&parent, 0), 0);
}

TEST(an_equal_number_after_its_time_is_another_packet)
{
    struct link_address parent = link_short(OTHER);

    for (uint8_t i = 0; i < 2; i++) {
        ask(&parent, 1);
        receive_numbered(OWN, 9, 0x41, i);
        expect_count(i);
        expect_equal(link_poll(&parent, 0), 0);
        sleep_ms(36000);
    }
}

/* It may have the number of the last answer, too. */
TEST(what_the_parent_sends_to_all_is_no_answer)
{
    struct link_address parent = link_short(OTHER);

    ask(&parent, 1);
    receive_numbered(OWN, 10, 0x41, 62);
    expect_count(62);
    sleep_ms(9500);
    ask(&parent, 1);
    receive_numbered(AM_ALL, 10, 0x41, 63);
    expect(fake.listens);
    expect_count(63);
    receive_numbered(OWN, 11, 0x41, 64);
    expect(!fake.listens);
    expect_count(64);
    expect_equal(link_poll(&parent, 0), 0);
}

TEST(a_child_whose_link_is_opened_anew_while_it_listens)
{
    struct link_address parent = link_short(OTHER);

    ask(&parent, 1);
    expect_equal(link_open(&settings), 0);
    expect(fake.listens);
    settings.flags = 0;
    expect_equal(link_open(&settings), 0);
    receive(OWN, OTHER, COUNT, 65);
    expect(fake.listens);
    expect_count(65);
    open_asleep();
    expect(!fake.listens);
    expect_equal(link_poll(&parent, 0), 0);
}
