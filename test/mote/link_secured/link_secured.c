/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A link that is secured. What the mote sends to its own address is played back to it as if another
 * one with the same key had sent it, as it was or changed.
 */
#include <lichen/am.h>

#include <string.h>

#include <lichen/print.h>

#include "../link/fake_radio.h"
#include "net/ieee802154/frame.h"
#include "net/link/guard.h"
#include "net/link/link.h"
#include "test.h"

enum { OWN = 1, COUNT = 6, HEADER_AT = 9, SECURITY_BYTES = 5, MIC = 4 };

LINK_SECURED(3, 2);
AM_RECEIVER(counts, COUNT, 2);
PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16);
LINK_NEIGHBOURS(2);

static const uint8_t key[LINK_KEY_BYTES] = {0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7,
                                            0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf};
static struct link_settings settings = {.pan = LINK_PAN_USUAL,
                                        .short_address = OWN,
                                        .level = LINK_LEVEL_ENC_MIC_32,
                                        .key = {.mode = LINK_KEY_INDEX, .index = 1}};
static uint8_t payload[24];
static struct fake_frame kept;

static void open(void)
{
    struct link_address own;

    fake_renew();
    expect_equal(link_key_set(&link_security, &settings.key, key, LINK_LEVELS_USUAL), 0);
    expect_equal(link_open(&settings), 0);
    link_own(&own);
    expect_equal(link_device_name(&link_security, own.extended, LINK_PAN_USUAL, OWN), 0);
}

static void send(uint8_t value)
{
    for (unsigned i = 0; i < sizeof(payload); i++) {
        payload[i] = (uint8_t)(value + i);
    }
    expect_equal(am_send(OWN, COUNT, payload, sizeof(payload)), 0);
    kept = *fake_sent(0);
}

static void play(void)
{
    expect(fake_receive(kept.bytes, kept.length));
    sleep_ms(30);
}

static void expect_received(uint8_t value)
{
    struct am_message message;

    memset(payload, 0, sizeof(payload));
    expect_equal(am_receive(&counts, &message, payload, sizeof(payload), 0), 0);
    expect_equal(message.length, sizeof(payload));
    for (unsigned i = 0; i < sizeof(payload); i++) {
        expect_equal(payload[i], (uint8_t)(value + i));
    }
}

static void expect_nothing(void)
{
    struct am_message message;

    expect_equal(am_try_receive(&counts, &message, payload, 1), ERR_EMPTY);
}

static uint16_t losses(unsigned reason)
{
    struct link_loss loss = {.count = UINT16_MAX};

    expect_equal(link_loss(reason - 1, &loss), 0);
    return loss.count;
}

static unsigned refused(enum link_refusal refusal)
{
    return LOST_BY_LINK + FRAME_REFUSALS - 1u + refusal - 1u;
}

/* Plays what was kept, which is lost for a reason. */
static void expect_lost(unsigned reason)
{
    uint16_t lost = losses(reason);

    play();
    expect_equal(losses(reason), lost + 1);
    expect_nothing();
}

TEST(what_one_has_secured_the_other_reads)
{
    open();
    send(1);
    expect_equal(kept.bytes[0], 0x69); /* a secured frame of 2006 */
    expect_equal(kept.bytes[1], 0x98);
    expect_equal(kept.bytes[HEADER_AT], 0x0d); /* level 5, by index */
    expect_equal(kept.length, HEADER_AT + SECURITY_BYTES + 1 + 2 + sizeof(payload) + MIC);
    expect(memcmp(kept.bytes + HEADER_AT + SECURITY_BYTES + 1 + 2, payload, sizeof(payload)) != 0);
    play();
    expect_received(1);
}

/* The nonce has the source's extended address, which the frame has the other way round. */
TEST(an_extended_source_and_that_a_packet_was_secured)
{
    const uint8_t bytes[] = {0x3f, COUNT, 11};
    struct link_address own;
    struct link_info info;
    packet_t packet;
    uint8_t value;

    settings.short_address = LINK_EXTENDED;
    open();
    link_own(&own);
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, sizeof(bytes)), 0);
    packet_write(packet, 0, bytes, sizeof(bytes));
    expect_equal(link_send(&own, packet, TIME_NEVER), 0);
    kept = *fake_sent(0);
    play();
    settings.short_address = OWN;
    expect_equal(link_try_receive(&counts, &info, &packet), 0);
    expect(link_same(&info.source, &own));
    expect(info.is_secured);
    packet_read(packet, 0, &value, 1);
    expect_equal(value, 11);
    packet_free(packet);
}

/* Those of the payload are enciphered with it, so they are left out later. */
TEST(enciphered_information_elements_are_left_out)
{
    static const uint8_t bytes[] = {0x00, 0x3f, 0x03, 0x90, 1, 2, 3, 0x00, 0xf8, 0x3f, COUNT, 12};
    static struct frame sent = {
        .type = FRAME_DATA,
        .version = FRAME_2015,
        .has_sequence = true,
        .has_ies = true,
        .destination = {.mode = FRAME_ADDRESS_SHORT, .pan = LINK_PAN_USUAL, .bytes = {OWN}},
        .source = {.mode = FRAME_ADDRESS_SHORT, .pan = LINK_PAN_USUAL, .bytes = {OWN}}};
    enum link_refusal refusal;
    struct am_message message;
    packet_t packet;

    open();
    sent.sequence = (uint8_t)(kept.bytes[2] + 100); /* no duplicate, nor is the next one */
    expect_equal(frame_compress(&sent), FRAME_GOOD);
    expect_equal(packet_alloc(&packet, TEXT("test"), LINK_HEADROOM, sizeof(bytes)), 0);
    packet_write(packet, 0, bytes, sizeof(bytes));
    expect_equal(link_guard_protect(packet, &sent, 2, &refusal), 0);
    kept.length = (uint8_t)packet_length(packet);
    packet_read(packet, 0, kept.bytes, kept.length);
    packet_free(packet);
    play();
    expect_equal(am_try_receive(&counts, &message, payload, 1), 0);
    expect_equal(message.length, 1);
    expect_equal(payload[0], 12);
}

TEST(each_mode_of_keys)
{
    for (uint8_t mode = LINK_KEY_IMPLICIT; mode <= LINK_KEY_SOURCE_4; mode++) {
        settings.key.mode = mode;
        settings.key.source[1] = 0x77;
        open();
        send(mode);
        play();
        expect_received(mode);
        expect_equal(link_key_remove(&link_security, &settings.key), 0);
    }
    settings.key.mode = LINK_KEY_INDEX;
}

TEST(a_frame_is_accepted_once)
{
    open();
    send(3);
    play();
    expect_received(3);
    expect_lost(refused(LINK_COUNTER_OLD));
    send(4);
    struct fake_frame older = kept;
    send(5);
    play();
    expect_received(5);
    kept = older;
    expect_lost(refused(LINK_COUNTER_OLD));
}

TEST(two_frames_of_one_number_are_two)
{
    open();
    send(6);
    uint8_t number = kept.bytes[2];
    play();
    expect_received(6);
    do {
        send(7);
    } while (kept.bytes[2] != number);
    play();
    expect_received(7);
}

TEST(a_frame_that_was_changed_is_refused)
{
    open();
    send(6);
    for (uint8_t i = HEADER_AT + SECURITY_BYTES + 1; i < kept.length; i++) {
        kept.bytes[i] ^= 4;
        expect_lost(refused(LINK_MIC_WRONG));
        kept.bytes[i] ^= 4;
    }
    kept.bytes[2]++;
    expect_lost(refused(LINK_MIC_WRONG));
    kept.bytes[2]--;
    play(); /* none of these has used up its counter */
    expect_received(6);
}

TEST(a_forged_frame_makes_no_duplicate_of_the_next_one)
{
    open();
    send(7);
    struct fake_frame true_one = kept;
    kept.bytes[20] ^= 1;
    expect_lost(refused(LINK_MIC_WRONG));
    kept = true_one;
    play();
    expect_received(7);
}

TEST(an_unsecured_frame_is_refused)
{
    const uint8_t plain[] = {0x41, 0x88, 1, 0x22, 0, OWN, 0, OWN, 0, 0x3f, COUNT, 1};

    open();
    memcpy(kept.bytes, plain, sizeof(plain));
    kept.length = sizeof(plain);
    expect_lost(LOST_UNSECURED);
}

TEST(an_unknown_key_and_an_unknown_device)
{
    open();
    send(8);
    kept.bytes[HEADER_AT + SECURITY_BYTES] = 9;
    expect_lost(refused(LINK_KEY_UNKNOWN));
    send(9);
    kept.bytes[7] = 0x55;
    expect_lost(refused(LINK_DEVICE_UNKNOWN));
}

TEST(headers_that_are_cut_or_reserved)
{
    open();
    send(10);
    uint8_t length = kept.length;
    kept.length = HEADER_AT + SECURITY_BYTES;
    expect_lost(LOST_BY_LINK + FRAME_TOO_SHORT - 1u);
    kept.length = HEADER_AT + SECURITY_BYTES + 1 + MIC - 1;
    expect_lost(LOST_BY_LINK + FRAME_NO_MIC - 1u);
    kept.length = length;
    kept.bytes[HEADER_AT + SECURITY_BYTES] = 0;
    expect_lost(refused(LINK_HEADER_RESERVED));
    kept.bytes[HEADER_AT + SECURITY_BYTES] = 1;
    kept.bytes[HEADER_AT] = 0x08;
    expect_lost(refused(LINK_LEVEL_MISSING));
    kept.bytes[HEADER_AT] = 0x0c;
    expect_lost(refused(LINK_LEVEL_WITHOUT_MIC));
}

TEST(a_secured_request_for_data)
{
    static struct link_transfer transfer;
    struct link_address own = link_short(OWN);

    open();
    uint16_t sent = fake.sent;
    expect_equal(link_poll(&own, 60000), 0);
    sleep_ms(30);
    expect_equal(fake.sent, sent + 1);
    expect_equal(link_poll(&own, 0), 0);
    kept = *fake_sent(0);
    expect_equal(kept.bytes[0] & 0xf, 0xb);
    expect_equal(kept.bytes[HEADER_AT + SECURITY_BYTES + 1], 4); /* everybody may read it */
    expect_equal(link_child(&own, true), 0);
    expect_equal(am_begin(&transfer, OWN, COUNT, payload, 1), 0);
    sleep_ms(30);
    expect(transfer.active);
    play();
    expect(!transfer.active);
    expect_equal(transfer.result, 0);
    expect_equal(link_child(&own, false), 0);
}

TEST(a_level_without_a_checksum_or_that_there_is_not_is_refused)
{
    const struct link_settings before = settings;

    open();
    settings.level = LINK_LEVEL_ENC;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings.level = LINK_LEVEL_ENC_MIC_128 + 1;
    expect_equal(link_open(&settings), ERR_INVALID);
    settings = before;
}

TEST(without_its_key_nothing_is_sent)
{
    open();
    uint16_t sent = fake.sent;
    uint16_t lost = losses(refused(LINK_KEY_UNKNOWN));
    expect_equal(link_key_remove(&link_security, &settings.key), 0);
    expect_equal(am_send(OWN, COUNT, payload, 1), ERR_FULL);
    expect_equal(fake.sent, sent);
    expect_equal(losses(refused(LINK_KEY_UNKNOWN)), lost + 1);
}
