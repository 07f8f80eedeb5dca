/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that only sends: nothing checks what arrives, but it is counted, and keeps no memory.
 */
#include <lichen/am.h>

#include "../link/fake_radio.h"
#include "test.h"

enum { OWN = 1, OTHER = 2, COUNT = 6, SETTLE_MS = 5, FRAMES = 20 };

PACKET_POOL(4);

static uint16_t no_receiver(void)
{
    struct link_loss loss;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (same_text(loss.part, "link") && same_text(loss.name, "no receiver")) {
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
    uint8_t bytes[] = {0x61, 0x88, 0, 0x22, 0, OWN, 0, OTHER, 0, 0x3f, COUNT, 1};

    open();
    for (uint8_t i = 0; i < FRAMES; i++) {
        bytes[2] = i;
        expect(fake_receive(bytes, sizeof(bytes)));
        sleep_ms(SETTLE_MS);
        expect_equal(no_receiver(), i + 1);
    }
}

TEST(sending_hears_of_acknowledgments)
{
    const uint8_t payload = 1;

    open();
    expect_equal(am_send(OTHER, COUNT, &payload, 1), 0);
    for (uint8_t i = 0; i < 4; i++) {
        fake_plan(FAKE_UNACKNOWLEDGED);
    }
    expect_equal(am_send(OTHER, COUNT, &payload, 1), ERR_NO_ACK);
    expect_equal(am_send(AM_ALL, COUNT, &payload, 1), 0);
}
