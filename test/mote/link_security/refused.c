/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Frames that are not genuine are refused, and each refusal has a name. */
#include "net/security/devices.h"
#include "pair.h"
#include "test.h"

TEST(a_frame_that_is_shorter_than_its_mic_is_refused)
{
    struct security_incoming in = {.extended = sender};

    renew();
    expect_equal(send(&by_index), LINK_GOOD);
    for (uint16_t bytes = 0; bytes < 4; bytes++) {
        expect_equal(receive_from(in, bytes), LINK_MIC_CUT);
    }
    for (uint16_t bytes = 4; bytes < PRIVATE + 4; bytes++) {
        expect_equal(receive_from(in, bytes), LINK_MIC_WRONG);
    }
    expect_equal(receive_from(in, PRIVATE + 4), LINK_GOOD);
}

/* Whatever bit is changed: it is refused, and costs the sender nothing. */
TEST(a_frame_that_was_changed_is_refused)
{
    renew();
    expect_equal(send(&by_index), LINK_GOOD);
    for (unsigned bit = 0; bit < 8 * (OPEN + PRIVATE + 4); bit++) {
        frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
        expect(receive() != LINK_GOOD);
        frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    expect_equal(receive(), LINK_GOOD);
}

TEST(a_frame_of_another_sender_is_refused)
{
    struct security_incoming in = {.short_address = ADDRESS_NONE};

    renew();
    expect_equal(send(&by_index), LINK_GOOD);
    sender[7] = 2;
    expect_equal(receive(), LINK_MIC_WRONG);
    expect_equal(receive_from(in, PRIVATE + 4), LINK_DEVICE_UNKNOWN);
}

TEST(refusals_have_names)
{
    expect(same_text(link_refusal_name(LINK_GOOD), "LINK_GOOD"));
    expect(same_text(link_refusal_name(LINK_COUNTER_USED_UP), "LINK_COUNTER_USED_UP"));
    for (unsigned refusal = 0; refusal < LINK_REFUSALS; refusal++) {
        expect(
            !same_text(link_refusal_name((enum link_refusal)refusal), "no refusal of the system"));
    }
    expect(same_text(link_refusal_name(LINK_REFUSALS), "no refusal of the system"));
}
