/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What frames of TinyOS cannot say, and the names of reasons. */
#include <lichen/print.h>

#include "fake_driver.h"
#include "played.h"
#include "test.h"

TEST(what_frames_cannot_say_is_refused)
{
    const uint8_t flags[] = {LINK_COORDINATOR, LINK_2015, LINK_SLEEPS | LINK_2015};
    struct link_address extended = {LINK_EXTENDED, {1, 2, 3, 4, 5, 6, 7, 8}};
    packet_t packet;

    renew();
    for (unsigned i = 0; i < sizeof(flags); i++) {
        settings.flags = flags[i];
        expect_equal(link_open(&settings), ERR_INVALID);
    }
    settings.flags = 0;
    settings.level = LINK_LEVEL_ENC_MIC_32;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.level = LINK_LEVEL_NONE;
    settings.pan = 0x122;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.pan = LINK_PAN_USUAL;
    settings.short_address = LINK_EXTENDED;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.short_address = OWN;
    settings.channel = 4;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.channel = LINK_CHANNEL_USUAL;
    expect_equal(byte_link_state.own, OWN);
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, 1), 0);
    expect_equal(link_send(&extended, packet, TIME_NEVER), ERR_INVALID);
    expect_equal(link_poll(&extended, 1000), ERR_INVALID);
    expect_nothing();
}

TEST(each_reason_has_a_name)
{
    struct link_loss loss;
    unsigned i = 0;

    for (; link_loss(i, &loss) == 0; i++) {
        expect(!same_text(loss.name, ""));
    }
    expect_equal(i, LOST_BY_LINK - 1u + CC1000_LOSSES);
}
