/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What link_open makes of the settings, and what it refuses. */
#include <lichen/am.h>

#include <string.h>

#include "fake_radio.h"
#include "played.h"
#include "test.h"

enum {
    OWN = PLAYED_OWN,
    THIRD = 0x0003,
    COUNT = PLAYED_TYPE, /* types of messages */
};

TEST(the_address_is_made_of_the_serial_number)
{
    struct link_address own, again;

    played_renew();
    expect_equal(link_open(0), 0);
    link_own(&own);
    expect(own.short_address != 0 && own.short_address < LINK_EXTENDED);
    expect_equal(own.extended[0] & 3, 2);
    expect_equal(link_open(0), 0);
    link_own(&again);
    expect(memcmp(&own, &again, sizeof(own)) == 0);
    expect_equal(fake.settings.short_address, own.short_address);
    expect_equal(fake.settings.extended_address[0], own.extended[7]);
    expect_equal(fake.settings.channel, 26);
    expect_equal(fake.settings.pan, LINK_PAN_USUAL);
}

TEST(the_radio_has_the_rate_of_the_settings)
{
    played_renew();
    settings.rate = 3;
    expect_equal(link_open(&settings), 0);
    expect_equal(fake.settings.rate, 3);
    settings.rate = 0;
    expect_equal(link_open(&settings), 0);
    expect_equal(fake.settings.rate, 0);
}

TEST(the_radio_has_the_rest_of_the_settings)
{
    unsigned can = radio_facts.capabilities;

    played_renew();
    settings.dbm = -7;
    settings.flags = LINK_COORDINATOR | LINK_2015;
    settings.short_address = LINK_EXTENDED;
    expect_equal(link_open(&settings), 0);
    settings.dbm = 0;
    expect_equal(fake.settings.dbm, -7);
    expect_equal(fake.settings.short_address, UINT16_MAX); /* it has none */
    expect_equal((fake.settings.flags & RADIO_COORDINATOR) != 0, (can & RADIO_CAN_FILTER) != 0);
    played_renew();
    expect_equal(fake.settings.flags & RADIO_COORDINATOR, 0);
    /* Frames of 2015 are received, whatever is sent. */
    expect_equal((fake.settings.flags & RADIO_ACKNOWLEDGE_2015) != 0,
                 (can & RADIO_CAN_ACKNOWLEDGE) != 0);
}

TEST(a_channel_that_there_is_not)
{
    played_renew();
    settings.channel = 27;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.channel = 15;
    settings.level = LINK_LEVEL_ENC_MIC_32;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.level = LINK_LEVEL_NONE;
    settings.flags = 1 << 7; /* there is no such flag */
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.flags = 0;
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_equal(fake_sent(0)->bytes[0], 0x41);
    expect_equal(fake.settings.channel, 15);
}

TEST(settings_that_are_refused_change_nothing)
{
    struct link_address own;

    played_renew();
    settings.channel = 27;
    settings.short_address = THIRD;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.channel = 15;
    link_own(&own);
    expect_equal(own.short_address, OWN);
    expect_equal(am_send(AM_ALL, COUNT, payload, 1), 0);
    expect_equal(fake_sent(0)->bytes[7], OWN);
}

TEST(all_motes_are_no_parent)
{
    struct link_address all = link_short(LINK_ALL);

    played_renew();
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&all, 10), ERR_INVALID);
    sleep_ms(PLAYED_SETTLE_MS);
    expect_equal(fake.sent, sent);
}
