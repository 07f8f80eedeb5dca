/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Received frames whose headers are not the usual one. A mote with 4 KB of RAM has no room for
 * them.
 */
#include <lichen/am.h>

#include "../fake_radio.h"
#include "../played.h"
#include "net/link/link.h"
#include "test.h"

/* Motes without a short address differ in their extended ones only. */
TEST(two_extended_sources_are_two_motes)
{
    uint8_t bytes[] = {0x41, 0xc8, 77, 0x22, 0, PLAYED_OWN, 0,    8,           7,
                       6,    5,    4,  3,    2, 1,          0x3f, PLAYED_TYPE, 60};

    played_renew();
    for (uint8_t i = 0; i < 2; i++) {
        bytes[7] = (uint8_t)(8 + i);
        bytes[17] = (uint8_t)(60 + i);
        expect(fake_receive(bytes, sizeof(bytes)));
        sleep_ms(2);
        expect_count((uint8_t)(60 + i));
    }
}

TEST(an_extended_destination_is_this_mote_or_another)
{
    uint8_t bytes[] = {0x41, 0x8c, 78, 0x22,         0, 0,    0,           0, 0, 0,
                       0,    0,    0,  PLAYED_OTHER, 0, 0x3f, PLAYED_TYPE, 62};
    struct link_address own;

    played_renew();
    link_own(&own);
    for (uint8_t i = 0; i < LINK_EXTENDED_BYTES; i++) {
        bytes[5 + i] = own.extended[LINK_EXTENDED_BYTES - 1 - i];
    }
    expect(fake_receive(bytes, sizeof(bytes)));
    sleep_ms(2);
    expect_count(62);
    uint16_t lost = losses(LOST_NOT_MINE);
    bytes[2]++;
    bytes[12] ^= 1;
    expect(fake_receive(bytes, sizeof(bytes)));
    sleep_ms(2);
    expect_equal(losses(LOST_NOT_MINE), lost + 1);
    expect_no_count();
}

/* A frame without a destination is for the coordinator of its PAN. */
TEST(a_coordinator_takes_what_has_no_destination)
{
    uint8_t bytes[] = {0x01, 0x80, 79, 0x22, 0, PLAYED_OTHER, 0, 0x3f, PLAYED_TYPE, 64};

    played_renew();
    uint16_t lost = losses(LOST_NOT_MINE);
    expect(fake_receive(bytes, sizeof(bytes)));
    sleep_ms(2);
    expect_equal(losses(LOST_NOT_MINE), lost + 1);
    settings.flags = LINK_COORDINATOR;
    expect_equal(link_open(&settings), 0);
    expect(fake_receive(bytes, sizeof(bytes)));
    sleep_ms(2);
    expect_count(64);
    bytes[2]++;
    bytes[3]++;
    expect(fake_receive(bytes, sizeof(bytes)));
    sleep_ms(2);
    expect_equal(losses(LOST_NOT_MINE), lost + 2);
    expect_no_count();
}

/* A receiver gets what is behind them. */
TEST(information_elements_are_left_out)
{
    const uint8_t bytes[] = {0x41, 0xaa, 80,   0x22,        0,    PLAYED_OWN, 0, PLAYED_OTHER,
                             0,    0x00, 0x3f, 0x03,        0x90, 1,          2, 3,
                             0x00, 0xf8, 0x3f, PLAYED_TYPE, 65};

    played_renew();
    expect(fake_receive(bytes, sizeof(bytes)));
    sleep_ms(2);
    expect_count(65);
}
