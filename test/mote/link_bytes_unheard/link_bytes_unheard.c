/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that only sends, over a radio of bytes: the driver has no memory for a frame, and each
 * that begins is counted. */
#include <lichen/am.h>

#include "../link_bytes/fake_driver.h"
#include "test.h"

enum { OWN = 0x0102, OTHER = 0x0203, COUNT = 6, FRAMES = 5 };

static uint16_t count_of(const char *name)
{
    struct link_loss loss;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (same_text(loss.name, name)) {
            return loss.count;
        }
    }
    return UINT16_MAX;
}

static void open(void)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};

    fake_renew();
    expect_equal(link_open(&settings), 0);
}

TEST(what_arrives_is_counted)
{
    uint8_t bytes[] = {OWN >> 8, OWN & 0xff, OTHER >> 8, OTHER & 0xff, 1, LINK_PAN_USUAL, COUNT, 1};

    open();
    for (uint8_t i = 0; i < FRAMES; i++) {
        expect_equal(fake_receive(bytes, sizeof(bytes)), FAKE_MISSED);
        expect_equal(count_of("no receiver"), i + 1);
    }
    expect_equal(count_of("no frame free"), 0);
}

TEST(sending_hears_of_acknowledgments)
{
    const uint8_t payload = 1;

    open();
    expect_equal(am_send(OTHER, COUNT, &payload, 1), 0);
    expect_equal(am_send(AM_ALL, COUNT, &payload, 1), 0);
}
