/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that does not say LINK_ALL_HEADERS: it is refused what it has not declared, and frames
 * with other headers are counted.
 */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>

#include "../link/fake_radio.h"
#include "test.h"

enum { OWN = 1, OTHER = 2, COUNT = 6, SETTLE_MS = 5 };

AM_RECEIVER(counts, COUNT, 3);
PACKET_POOL(4);
LINK_NEIGHBOURS(2);

static const struct link_address extended = {LINK_EXTENDED, {1, 2, 3, 4, 5, 6, 7, 8}};

static void open(void)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = OWN};

    fake_renew();
    expect_equal(link_open(&settings), 0);
}

static uint16_t all_losses(const char *name)
{
    struct link_loss loss;
    uint16_t sum = 0;

    for (unsigned i = 0; link_loss(i, &loss) == 0; i++) {
        if (name == 0 ? !same_text(loss.part, "radio") : same_text(loss.name, name)) {
            sum = (uint16_t)(sum + loss.count);
        }
    }
    return sum;
}

static uint8_t blocks_free(void)
{
    struct packet_statistics statistics;

    packet_statistics(&statistics);
    return statistics.free;
}

static bool has_count(uint8_t value)
{
    struct am_message message;
    uint8_t byte = 0;

    return am_try_receive(&counts, &message, &byte, 1) == 0 && byte == value &&
           message.source == OTHER;
}

TEST(settings_that_need_other_headers_are_refused)
{
    static const struct link_settings refused[] = {
        {.pan = LINK_PAN_USUAL, .short_address = OWN, .flags = LINK_2015},
        {.pan = LINK_PAN_USUAL, .short_address = OWN, .flags = LINK_COORDINATOR},
        {.pan = LINK_PAN_USUAL, .short_address = LINK_EXTENDED},
        {.pan = LINK_PAN_USUAL, .short_address = OWN, .level = LINK_LEVEL_MIC_32},
    };

    for (uint8_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        expect_equal(link_open(&refused[i]), ERR_INVALID);
    }
    open();
}

TEST(an_extended_destination_is_refused)
{
    static struct link_transfer transfer;
    uint8_t free_at_first = blocks_free();
    packet_t packet;

    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, 1), 0);
    expect_equal(link_send(&extended, packet, TIME_NEVER), ERR_INVALID);
    expect_equal(blocks_free(), free_at_first);
    expect_equal(packet_alloc(&transfer.packet, TEXT("test"), LINK_HEADROOM, 1), 0);
    transfer.destination = extended;
    expect_equal(link_begin(&transfer), ERR_INVALID);
    packet_free(transfer.packet);
    expect_equal(link_poll(&extended, 1000), ERR_INVALID);
    expect_equal(fake.sent, 0);
}

/* So the radio acknowledges no frame to this mote's extended address, which nobody here could read.
 */
TEST(the_radio_knows_no_extended_address)
{
    static const uint8_t none[8];

    open();
    expect_equal(memcmp(fake.settings.extended_address, none, sizeof(none)), 0);
}

TEST(a_frame_with_another_header_is_counted)
{
    static const ARCH_FLASH uint8_t frames[][20] = {
        /* An extended source; an extended destination; two PANs; 2015; secured; a beacon. */
        {0x41, 0xc8, 1, 0x22, 0, OWN, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0x3f, COUNT, 60},
        {0x41, 0x8c, 2, 0x22, 0, 8, 7, 6, 5, 4, 3, 2, 1, OTHER, 0, 0x3f, COUNT, 61},
        {0x01, 0x88, 3, 0x22, 0, OWN, 0, 0x23, 0, OTHER, 0, 0x3f, COUNT, 62},
        {0x41, 0xa8, 4, 0x22, 0, OWN, 0, OTHER, 0, 0x3f, COUNT, 63},
        {0x49, 0x98, 5, 0x22, 0, OWN, 0, OTHER, 0, 0x3f, COUNT, 64},
        {0x00, 0x80, 6, 0x22, 0, OTHER, 0, 0xff, 0xcf},
    };
    enum { FRAMES = sizeof(frames) / sizeof(frames[0]) };
    uint8_t bytes[20], free_at_first;

    open();
    free_at_first = blocks_free();
    uint16_t all = all_losses(0), lost = all_losses("another header");
    for (uint8_t i = 0; i < FRAMES; i++) {
        for (uint8_t at = 0; at < sizeof(bytes); at++) {
            bytes[at] = frames[i][at];
        }
        expect(fake_receive(bytes, sizeof(bytes)));
        sleep_ms(SETTLE_MS);
        expect_equal(all_losses("another header"), lost + i + 1);
    }
    expect_equal(all_losses(0), all + FRAMES);
    expect_equal(blocks_free(), free_at_first);
    expect(!has_count(60));
}

TEST(a_header_that_is_cut_is_counted)
{
    static const uint8_t bytes[] = {0x41, 0x88, 1, 0x22, 0, OWN, 0, OTHER};

    open();
    uint16_t lost = all_losses("another header");
    expect(fake_receive(bytes, sizeof(bytes)));
    expect(fake_receive(bytes, 1));
    sleep_ms(SETTLE_MS);
    expect_equal(all_losses("another header"), lost + 2);
}

TEST(the_usual_header_is_read_and_made)
{
    uint8_t bytes[] = {0x61, 0x88, 9, 0x22, 0, OWN, 0, OTHER, 0, 0x3f, COUNT, 65};

    open();
    expect(fake_receive(bytes, sizeof(bytes)));
    bytes[1] = 0x98; /* of 2006 */
    bytes[2]++;
    bytes[11]++;
    expect(fake_receive(bytes, sizeof(bytes)));
    sleep_ms(SETTLE_MS);
    expect(has_count(65));
    expect(has_count(66));
    expect_equal(am_send(OTHER, COUNT, bytes + 11, 1), 0);
    const struct fake_frame *sent = fake_sent(0);
    const uint8_t wanted[] = {0x61, 0x88, sent->bytes[2], 0x22,  0, OTHER, 0,
                              OWN,  0,    0x3f,           COUNT, 66};
    expect_equal(sent->length, sizeof(wanted));
    expect_equal(memcmp(sent->bytes, wanted, sizeof(wanted)), 0);
}

/* A request for data has the same header, with another type. */
TEST(a_child_asks_with_the_usual_header)
{
    const struct link_address parent = link_short(OTHER);
    const uint8_t wanted[] = {0x63, 0x88, 0, 0x22, 0, OTHER, 0, OWN, 0, 4};

    open();
    uint16_t before = fake.sent;
    expect_equal(link_poll(&parent, 1000), 0);
    sleep_ms(100);
    expect_equal(link_poll(&parent, 0), 0);
    expect_equal(fake.sent, before + 1);
    const struct fake_frame *sent = fake_sent(0);
    expect_equal(sent->length, sizeof(wanted));
    expect_equal(memcmp(sent->bytes + 3, wanted + 3, sizeof(wanted) - 3), 0);
    expect_equal(sent->bytes[0], wanted[0]);
}
