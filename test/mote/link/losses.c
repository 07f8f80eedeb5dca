/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What is lost is counted by its reason, and reasons have names. */
#include <lichen/am.h>

#include <lichen/print.h>

#include "fake_radio.h"
#include "net/ieee802154/frame.h"
#include "net/link/link.h"
#include "played.h"
#include "test.h"

enum {
    OWN = PLAYED_OWN,
    OTHER = PLAYED_OTHER,
    THIRD = 0x0003,
    COUNT = PLAYED_TYPE, /* types of messages */
};

/* All that were counted, except by the radio, which counts frames that the link counts, too. */
static unsigned all_losses(void)
{
    struct link_loss loss;
    unsigned sum = 0;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        sum += loss.count;
    }
    return sum;
}

TEST(each_refused_frame_is_counted_by_its_reason)
{
    static const ARCH_FLASH struct {
        uint8_t refusal;
        uint8_t length;
        uint8_t bytes[12];
    } bad[] = {
        {FRAME_TOO_SHORT, 1, {0x41}},
        {FRAME_TOO_SHORT, 8, {0x41, 0x88, 1, 0x22, 0, 1, 0, 2}},
        {FRAME_RESERVED_TYPE, 9, {0x44, 0x88, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_RESERVED_VERSION, 9, {0x41, 0xb8, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_RESERVED_ADDRESS, 9, {0x41, 0x84, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_NO_ADDRESSES, 9, {0x01, 0, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_COMPRESSION, 9, {0x41, 0x80, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_BAD_ACK, 9, {0x02, 0, 1, 0x22, 0, 1, 0, 2, 0}},
        {FRAME_OLD_SECURITY, 9, {0x49, 0x88, 1, 0x22, 0, 1, 0, 2, 0}},
    };

    played_renew();
    unsigned all = all_losses();
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        unsigned reason = LOST_BY_LINK + bad[i].refusal - 1u;
        uint16_t lost = losses(reason);
        for (unsigned at = 0; at < bad[i].length; at++) {
            frame[at] = bad[i].bytes[at];
        }
        expect(fake_receive(frame, bad[i].length));
        sleep_ms(2);
        expect_equal(losses(reason), lost + 1);
    }
    expect_equal(all_losses(), all + sizeof(bad) / sizeof(bad[0]));
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(beacons_and_other_commands_are_counted)
{
    const uint8_t beacon[] = {0x00, 0x80, 1, 0x22, 0, 2, 0, 0xff, 0xcf, 0, 0};
    const uint8_t command[] = {0x43, 0x88, 2, 0x22, 0, OWN, 0, 2, 0, 7};

    played_renew();
    uint16_t lost = losses(LOST_KIND);
    uint16_t others_lost = losses(LOST_NOT_MINE);
    expect(fake_receive(command, sizeof(command)));
    sleep_ms(2);
    expect_equal(losses(LOST_KIND), lost + 1);
    expect(fake_receive(beacon, sizeof(beacon)));
    sleep_ms(2);
    expect_equal(losses(LOST_NOT_MINE), others_lost + 1);
}

TEST(a_full_receiver_loses_and_counts)
{
    played_renew();
    uint16_t lost = losses(LOST_RECEIVER_FULL);
    for (uint8_t i = 0; i < 5; i++) {
        receive(OWN, OTHER, COUNT, i);
    }
    expect_equal(losses(LOST_RECEIVER_FULL), lost + 2);
    for (uint8_t i = 0; i < 3; i++) {
        expect_count(i);
    }
    expect_no_count();
    expect_equal(played_blocks_free(), played_free_at_first);
}

TEST(packets_are_counted_when_they_have_been_sent_and_taken)
{
    struct link_counters before, after;

    played_renew();
    link_count(&before);
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), 0);
    fake_plan(FAKE_FAILS);
    expect_equal(am_send(AM_ALL, COUNT, payload, 2), ERR_IO);
    receive(OWN, OTHER, COUNT, 66);
    receive(OTHER, THIRD, COUNT, 67);
    expect_count(66);
    link_count(&after);
    expect_equal(after.sent, before.sent + 1);
    expect_equal(after.received, before.received + 1);
}

/* In the order of struct radio_counters. */
TEST(what_the_radio_has_lost_is_listed)
{
    struct link_loss loss;
    unsigned listed = 0;

    played_renew();
    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (same_text(loss.part, "radio")) {
            expect_equal(loss.count, FAKE_COUNTED + listed);
            listed++;
        }
    }
    expect_equal(listed, 8);
}

TEST(each_reason_has_a_name)
{
    struct link_loss loss;
    unsigned i = 0;

    for (; link_loss(i, &loss) == 0; i++) {
        expect(!same_text(loss.name, "unknown reason"));
        expect(!same_text(loss.part, ""));
    }
    expect_equal(i, LOST_BY_LINK - 1u + FRAME_REFUSALS - 1u + LINK_REFUSALS - 1u + 8u);
}
