/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Children and parents. */
#include <lichen/thread.h>

#include "fake_driver.h"
#include "played.h"
#include "test.h"

TEST(a_packet_for_a_child_waits_until_it_asks_and_then_there_is_none)
{
    struct link_address child = link_short(OTHER);
    const uint8_t data[] = {0x02, 0x03, 0x01, 0x02, 1, 0x22, COUNT, 40};
    const uint8_t none[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, TYPE_PACKET};

    renew();
    expect_equal(link_child(&child, true), 0);
    uint16_t sent = fake.sent;
    payload[0] = 40;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 1), 0);
    sleep_ms(2000);
    expect_equal(fake.sent, sent);
    receive(OWN, OTHER, TYPE_REQUEST, 0);
    sleep_ms(SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    expect_sent(data, sizeof(data));
    expect(!transfers[0].active && transfers[0].result == 0);
    receive(OWN, OTHER, TYPE_REQUEST, 0);
    sleep_ms(SETTLE_MS);
    expect_equal(fake.sent, sent + 2);
    expect_sent(none, sizeof(none));
    expect_equal(link_child(&child, false), 0);
    expect_nothing();
}

/* It waits again, in front of the others. */
TEST(a_packet_that_a_child_has_not_acknowledged_waits_again)
{
    struct link_address child = link_short(OTHER);

    renew();
    expect_equal(link_child(&child, true), 0);
    payload[0] = 1;
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 1), 0);
    payload[0] = 2;
    expect_equal(am_begin(&transfers[1], OTHER, COUNT, payload, 1), 0);
    sleep_ms(SETTLE_MS);
    fake_plan(FAKE_UNACKNOWLEDGED, TRIES);
    receive(OWN, OTHER, TYPE_REQUEST, 0);
    sleep_ms(SETTLE_MS);
    expect(transfers[0].active);
    for (uint8_t i = 1; i <= 2; i++) {
        receive(OWN, OTHER, TYPE_REQUEST, 0);
        sleep_ms(SETTLE_MS);
        expect_equal(fake.bytes[HEADER], i);
    }
    expect(!transfers[0].active && transfers[0].result == 0);
    expect(!transfers[1].active && transfers[1].result == 0);
    expect_equal(link_child(&child, false), 0);
    expect_nothing();
}

/* It has heard no acknowledgment of its request, or of one before. */
TEST(a_child_that_asks_again_while_its_answer_is_on_the_air_gets_no_other)
{
    struct link_address child = link_short(OTHER);

    renew();
    expect_equal(link_child(&child, true), 0);
    uint16_t sent = fake.sent;
    for (unsigned i = 0; i < 2; i++) {
        expect_equal(am_begin(&transfers[i], OTHER, COUNT, payload, 1), 0);
    }
    sleep_ms(SETTLE_MS);
    receive(OWN, OTHER, TYPE_REQUEST, 0);
    expect_equal(fake.sent, sent + 1);
    expect(transfers[0].active);
    receive(OWN, OTHER, TYPE_REQUEST, 0);
    sleep_ms(SETTLE_MS);
    expect_equal(fake.sent, sent + 1);
    expect(!transfers[0].active && transfers[1].active);
    expect_equal(link_cancel(&transfers[1]), 0);
    expect_equal(link_child(&child, false), 0);
    expect_nothing();
}

/* A packet is the answer, on the air, and its child never acknowledges it. */
static void answer_in_vain(void)
{
    struct link_address child = link_short(OTHER);

    renew();
    expect_equal(link_child(&child, true), 0);
    expect_equal(am_begin(&transfers[0], OTHER, COUNT, payload, 1), 0);
    sleep_ms(SETTLE_MS);
    fake_plan(FAKE_UNACKNOWLEDGED, TRIES);
    receive(OWN, OTHER, TYPE_REQUEST, 0);
}

static void expect_lost(uint16_t lost)
{
    struct link_address child = link_short(OTHER);

    sleep_ms(SETTLE_MS);
    expect(!transfers[0].active);
    expect_equal(transfers[0].result, ERR_NO_ACK);
    expect_equal(losses(LOST_NO_ACK), lost + 1);
    expect_equal(link_child(&child, false), 0);
    expect_nothing();
}

TEST(an_answer_that_is_cancelled_on_the_air_does_not_wait_again)
{
    uint16_t lost = losses(LOST_NO_ACK);

    answer_in_vain();
    expect_equal(link_cancel(&transfers[0]), ERR_BUSY);
    expect_lost(lost);
}

TEST(an_answer_for_a_child_that_is_none_any_more_does_not_wait_again)
{
    struct link_address child = link_short(OTHER);
    uint16_t lost = losses(LOST_NO_ACK);

    answer_in_vain();
    expect_equal(link_child(&child, false), 0);
    expect_lost(lost);
}

static void poll(void)
{
    struct link_address parent = link_short(OTHER);

    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
    expect(!cc1000_settings.listens);
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(SETTLE_MS);
    expect(cc1000_settings.listens);
}

static void poll_no_more(void)
{
    struct link_address parent = link_short(OTHER);

    expect_equal(link_poll(&parent, 0), 0);
    expect_nothing();
}

TEST(a_child_asks_until_there_is_nothing)
{
    const uint8_t request[] = {0x02, 0x03, 0x01, 0x02, 0, 0x22, TYPE_REQUEST};

    renew();
    uint16_t sent = fake.sent;
    poll();
    expect_equal(fake.sent, sent + 1);
    expect_sent(request, sizeof(request));
    receive(OWN, OTHER, COUNT, 5);
    sleep_ms(SETTLE_MS);
    expect_count(5);
    expect_equal(fake.sent, sent + 2);
    expect_sent(request, sizeof(request));
    expect(cc1000_settings.listens);
    receive(OWN, OTHER, TYPE_PACKET, 0);
    expect(!cc1000_settings.listens);
    sleep_ms(5000);
    expect_equal(fake.sent, sent + 2);
    sleep_ms(6000);
    expect_equal(fake.sent, sent + 3);
    poll_no_more();
}

TEST(what_a_parent_sends_to_all_is_no_answer)
{
    renew();
    uint16_t sent = fake.sent;
    poll();
    receive(LINK_ALL, OTHER, COUNT, 5);
    sleep_ms(SETTLE_MS);
    expect_count(5);
    expect_equal(fake.sent, sent + 1);
    expect(cc1000_settings.listens);
    receive(OWN, OTHER, TYPE_PACKET, 0);
    expect(!cc1000_settings.listens);
    poll_no_more();
}

TEST(a_child_that_stays_awake_listens_between_polls)
{
    struct link_address parent;

    renew();
    expect_equal(link_parent(&parent), ERR_EMPTY);
    poll();
    expect_equal(link_parent(&parent), 0);
    expect_equal(parent.short_address, OTHER);
    link_stay_awake(true);
    receive(OWN, OTHER, TYPE_PACKET, 0);
    expect(cc1000_settings.listens);
    link_stay_awake(false);
    expect(!cc1000_settings.listens);
    poll_no_more();
    expect_equal(link_parent(&parent), ERR_EMPTY);
}

TEST(a_parent_that_does_not_answer)
{
    renew();
    uint16_t lost = losses(LOST_NOT_SENT);
    poll();
    sleep_ms(200);
    expect(cc1000_settings.listens);
    sleep_ms(60);
    expect(!cc1000_settings.listens);
    expect_equal(losses(LOST_NOT_SENT), lost + 1);
    poll_no_more();
}

/* Its acknowledgment may be what was lost. */
TEST(a_parent_that_does_not_acknowledge)
{
    renew();
    uint16_t lost = losses(LOST_NOT_SENT);
    fake_plan(FAKE_UNACKNOWLEDGED, TRIES);
    settings.flags = LINK_SLEEPS;
    expect_equal(link_open(&settings), 0);
    struct link_address parent = link_short(OTHER);
    expect_equal(link_poll(&parent, 10000), 0);
    sleep_ms(SETTLE_MS);
    expect(cc1000_settings.listens);
    receive(OWN, OTHER, TYPE_PACKET, 0);
    expect(!cc1000_settings.listens);
    expect_equal(losses(LOST_NOT_SENT), lost);
    poll_no_more();
}
