/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What comes. */
#include <lichen/random.h>
#include <lichen/thread.h>

#include "fake_driver.h"
#include "played.h"
#include "test.h"

TEST(each_frame_comes_to_the_receiver_of_its_type)
{
    struct am_message message;
    struct link_info info;
    packet_t packet;

    renew();
    receive(AM_ALL, OTHER, COUNT, 2);
    receive(OWN, OTHER, LIGHT, 1);
    receive(OWN, OTHER, TYPE_PACKET, 3);
    receive(OWN, OTHER, TYPE_PACKET, 0); /* says that nothing waits */
    expect_count(2);
    expect_equal(am_receive(&messages, &message, payload, 1, TIME_NEVER), 0);
    expect_equal(message.type, LIGHT);
    expect_equal(message.source, OTHER);
    expect_equal(message.dbm, -60);
    expect(!message.to_all);
    expect_equal(payload[0], 1);
    expect_equal(link_receive(&others, &info, &packet, TIME_NEVER), 0);
    expect_equal(info.source.short_address, OTHER);
    expect_equal(packet_length(packet), 3);
    packet_read(packet, 0, payload, 1);
    expect_equal(payload[0], 3);
    packet_free(packet);
    expect_nothing();
}

TEST(messages_of_all_lengths)
{
    renew();
    for (uint8_t length = 0; length <= LONGEST; length++) {
        receive(OWN, OTHER, COUNT, length);
        expect_count(length);
    }
    expect_nothing();
}

/* Frames have no number that would tell. */
TEST(a_frame_that_is_sent_again_comes_again)
{
    renew();
    receive(OWN, OTHER, COUNT, 2);
    receive(OWN, OTHER, COUNT, 2);
    expect_count(2);
    expect_count(2);
}

TEST(frames_for_others_and_of_other_groups_are_not_taken)
{
    renew();
    receive(OTHER, 5, COUNT, 1);
    receive(LINK_EXTENDED, 5, COUNT, 1);
    uint8_t length = compose(OWN, OTHER, COUNT, 1);
    frame[5]++;
    expect_equal(fake_receive(frame, length), FAKE_NOT_ACKED);
    expect_nothing();
}

TEST(a_source_that_is_no_motes)
{
    struct am_message message;
    const uint16_t sources[] = {LINK_EXTENDED, LINK_ALL};

    renew();
    for (unsigned i = 0; i < 2; i++) {
        receive(AM_ALL, sources[i], COUNT, 1);
        expect_equal(am_receive(&counts, &message, payload, 1, time_now_us() + 10000), 0);
        expect_equal(message.source, LINK_ALL);
        receive(AM_ALL, sources[i], TYPE_PACKET, 1);
    }
    take_all();
    expect_nothing();
}

TEST(whatever_comes_does_no_harm)
{
    renew();
    random_seed(7);
    for (unsigned i = 0; i < 2000; i++) {
        uint8_t length = (uint8_t)(HEADER + random_below(40));
        random_bytes(frame, length);
        frame[4] = (uint8_t)(length - HEADER);
        if (random_below(4) != 0) {
            frame[0] = random_below(2) ? 0xff : OWN >> 8;
            frame[1] = random_below(2) ? 0xff : OWN & 0xff;
            frame[5] = LINK_PAN_USUAL;
            frame[6] |= random_below(2) ? 0xfe : 0;
        }
        (void)fake_receive(frame, length);
        if (random_below(3) == 0) {
            take_all();
        }
    }
    sleep_ms(SETTLE_MS);
    take_all();
    expect_nothing();
}
