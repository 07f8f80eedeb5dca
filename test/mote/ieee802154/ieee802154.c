/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The codec of frames: each combination of fields against the standard's tables (compose.h), and
 * chosen frames. */
#include <string.h>

#include <lichen/packet.h>
#include <lichen/print.h>

#include "compose.h"
#include "net/ieee802154/frame.h"
#include "test.h"

static struct frame frame;
static struct packet_cursor cursor;

static enum frame_refusal parsed(const uint8_t *bytes, uint16_t length)
{
    packet_cursor_flat(&cursor, bytes, length);
    return frame_parse(&frame, &cursor);
}

/* A refusal is printed by its name when it is not the one expected. */
static void expect_refusal(enum frame_refusal is, enum frame_refusal wanted)
{
    if (is != wanted) {
        print("%s, not %s\n", frame_refusal_name(is), frame_refusal_name(wanted));
    }
    expect_equal(is, wanted);
}

#define PARSED(...) parsed((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* ---------------------------------------------------------------- every combination */
static void expect_address(const struct frame_address *is, uint8_t mode, const uint8_t *bytes)
{
    expect_equal(is->mode, mode);
    if (mode != FRAME_ADDRESS_NONE) {
        expect(memcmp(is->bytes, bytes, mode == FRAME_ADDRESS_SHORT ? 2 : 8) == 0);
    }
}

static void expect_security(const struct combination *wanted)
{
    const struct frame_security *is = &frame.security;
    static const uint8_t source_bytes[] = {0, 0, 4, 8};
    expect_equal(is->level, wanted->level);
    expect_equal(is->key_mode, wanted->key_mode);
    expect_equal(is->counter_suppressed, wanted->no_counter);
    expect_equal(is->asn_in_nonce, wanted->asn);
    expect_equal(is->counter, wanted->no_counter ? 0 : COMPOSED_COUNTER);
    expect_equal(is->key_index, wanted->key_mode == 0 ? 0 : COMPOSED_KEY_INDEX);
    expect(memcmp(is->key_source, composed_key_source, source_bytes[wanted->key_mode]) == 0);
}

static void expect_header(const struct combination *wanted)
{
    struct composed_pans pans;
    expect(compose_pans(wanted, &pans));
    expect_equal(frame.type, wanted->type);
    expect_equal(frame.version, wanted->version);
    expect_equal(frame.pan_compression, wanted->compression);
    expect_equal(frame.has_sequence, !wanted->no_sequence);
    expect_equal(frame.sequence, wanted->no_sequence ? 0 : COMPOSED_SEQUENCE);
    expect_equal(frame.destination.has_pan, pans.destination);
    expect_equal(frame.source.has_pan, pans.source);
    uint16_t pan = pans.destination ? COMPOSED_DESTINATION_PAN : 0xffff;
    expect_equal(frame.destination.pan, pan);
    expect_equal(frame.source.pan, pans.source ? COMPOSED_SOURCE_PAN : pan);
    expect_address(&frame.destination, wanted->destination, composed_destination);
    expect_address(&frame.source, wanted->source, composed_source);
    expect_equal(frame.has_security, wanted->secured);
    if (wanted->secured) {
        expect_security(wanted);
    }
}

static uint8_t bytes[FRAME_BYTES_MAX + 1];

/* A header as composed is read right, built again, and refused at each place where it may end. */
static void expect_round_trip(const struct combination *wanted, uint8_t length)
{
    uint8_t built[FRAME_HEADER_MAX], built_length;
    uint8_t payload = wanted->type == FRAME_ACK && wanted->version != FRAME_2015 ? 0 : 20;
    expect_refusal(parsed(bytes, (uint16_t)(length + payload)), FRAME_GOOD);
    expect_header(wanted);
    expect_equal(frame.header_length, length);
    expect_equal(frame.payload_length + frame.mic_length, payload);
    expect_equal(packet_cursor_left(&cursor), frame.payload_length);
    expect_refusal(frame_build(&frame, built, &built_length), FRAME_GOOD);
    expect_equal(built_length, length);
    expect(memcmp(built, bytes, length) == 0);
    for (uint8_t end = 0; end < length; end++) {
        expect_refusal(parsed(bytes, end), FRAME_TOO_SHORT);
    }
}

static void expect_refused(const struct combination *wanted)
{
    bytes[0] = (uint8_t)(wanted->type + wanted->secured * 0x08 + wanted->compression * 0x40);
    bytes[1] =
        (uint8_t)(wanted->destination * 0x04 + wanted->version * 0x10 + wanted->source * 0x40);
    enum frame_refusal refusal = parsed(bytes, FRAME_BYTES_MAX);
    expect(refusal != FRAME_GOOD && refusal != FRAME_TOO_SHORT);
}

static unsigned good, refused;

static void try_combination(const struct combination *wanted)
{
    memset(bytes, 0xbb, sizeof(bytes));
    uint8_t length = compose(wanted, bytes);
    if (length != 0) {
        expect_round_trip(wanted, length);
        good++;
    } else if (!wanted->no_sequence) {
        expect_refused(wanted);
        refused++;
    }
}

static void try_addresses(struct combination *wanted)
{
    for (wanted->destination = 0; wanted->destination < 4; wanted->destination++) {
        for (wanted->source = 0; wanted->source < 4; wanted->source++) {
            for (unsigned bits = 0; bits < 8; bits++) {
                wanted->compression = (bits & 1) != 0;
                wanted->no_sequence = (bits & 2) != 0;
                wanted->secured = (bits & 4) != 0;
                try_combination(wanted);
            }
        }
    }
}

TEST(all_addresses_and_pan_ids_are_read_as_the_tables_say)
{
    struct combination wanted = {.level = 5, .key_mode = 1};
    good = refused = 0;
    for (wanted.version = 0; wanted.version < 3; wanted.version++) {
        for (wanted.type = 0; wanted.type < 4; wanted.type++) {
            try_addresses(&wanted);
        }
    }
    /* 2015: 18 rows, each with 4 types, with and without sequence number and security. Before: 12
     * rows with 3 types, and with security in 2006; two acknowledgments in each version. */
    expect_equal(good, 18 * 4 * 4 + 12 * 3 * 3 + 2 * 2);
    expect_equal(refused, 3 * 4 * 16 * 4 - (18 * 4 * 2 + 12 * 3 * 3 + 2 * 2));
}

TEST(all_security_headers_are_read)
{
    struct combination wanted = {
        .type = FRAME_DATA, .secured = true, .destination = 2, .source = 3};
    good = 0;
    for (wanted.version = 1; wanted.version < 3; wanted.version++) {
        for (wanted.level = 0; wanted.level < 8; wanted.level++) {
            for (wanted.key_mode = 0; wanted.key_mode < 4; wanted.key_mode++) {
                for (unsigned bits = 0; bits < 4; bits++) {
                    wanted.no_counter = (bits & 1) != 0;
                    wanted.asn = (bits & 2) != 0;
                    memset(bytes, 0xbb, sizeof(bytes));
                    uint8_t length = compose(&wanted, bytes);
                    if (length != 0) {
                        expect_round_trip(&wanted, length);
                        static const uint8_t mic[] = {0, 4, 8, 16};
                        (void)parsed(bytes, (uint16_t)(length + 20));
                        expect_equal(frame.mic_length, mic[wanted.level % 4]);
                        good++;
                    }
                }
            }
        }
    }
    expect_equal(good, 8 * 4 + 8 * 4 * 4);
}

/* What 2006 reserves is ignored. */
TEST(reserved_bits_are_ignored)
{
    expect_refusal(PARSED(0x81, 0x8b, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_GOOD);
    expect_equal(frame.has_sequence, true);
    expect_equal(frame.has_ies, false);
    expect_equal(frame.payload_length, 0);
    expect_refusal(PARSED(0x09, 0x98, 7, 1, 2, 3, 4, 5, 6, 7, 8, 0xe0, 1, 2, 3, 4, 9), FRAME_GOOD);
    expect_equal(frame.security.counter, 0x04030201);
    expect(!frame.security.counter_suppressed && !frame.security.asn_in_nonce);
    expect_equal(frame.payload_length, 1);
}

/* ---------------------------------------------------------------- types and versions */
TEST(other_types_and_versions_are_refused_by_name)
{
    expect_refusal(PARSED(0x04, 0x98, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_RESERVED_TYPE);
    expect_refusal(PARSED(0x05, 0x98, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_MULTIPURPOSE);
    expect_refusal(PARSED(0x06, 0x98, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_FRAGMENT);
    expect_refusal(PARSED(0x07, 0x98, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_EXTENDED);
    expect_refusal(PARSED(0x01, 0xb8, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_RESERVED_VERSION);
    expect_refusal(PARSED(0x01, 0x94, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_RESERVED_ADDRESS);
    expect_refusal(PARSED(0x01, 0x58, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_RESERVED_ADDRESS);
    expect_refusal(PARSED(0x01, 0x00, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_NO_ADDRESSES);
    expect_refusal(PARSED(0x41, 0x08, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_COMPRESSION);
    expect_refusal(PARSED(0x09, 0x88, 7, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_OLD_SECURITY);
    memset(bytes, 0, sizeof(bytes));
    expect_refusal(parsed(bytes, FRAME_BYTES_MAX + 1), FRAME_TOO_LONG);
    for (unsigned refusal = 0; refusal < FRAME_REFUSALS; refusal++) {
        expect(!same_text(frame_refusal_name(refusal), "unknown reason"));
    }
    expect(same_text(frame_refusal_name(FRAME_REFUSALS), "unknown reason"));
}

TEST(acknowledgments_are_immediate_or_enhanced)
{
    expect_refusal(PARSED(0x12, 0x00, 0x42), FRAME_GOOD);
    expect(frame.type == FRAME_ACK && frame.pending && frame.sequence == 0x42);
    expect_equal(frame.header_length, 3);
    expect_refusal(PARSED(0x02, 0x10, 0x42), FRAME_GOOD);
    expect_refusal(PARSED(0x02, 0x00), FRAME_TOO_SHORT);
    expect_refusal(PARSED(0x02, 0x00, 0x42, 0x01), FRAME_BAD_ACK); /* data, with an ack's type */
    expect_refusal(PARSED(0x02, 0x88, 0x42, 1, 2, 3, 4, 5, 6, 7, 8), FRAME_BAD_ACK);
    expect_refusal(PARSED(0x0a, 0x10, 0x42), FRAME_BAD_ACK);
    /* With a destination, and a header IE: time correction, element 0x1e. */
    expect_refusal(PARSED(0x42, 0x2a, 0x42, 0x34, 0x12, 0x02, 0x0f, 0x11, 0x22), FRAME_GOOD);
    expect_equal(frame.destination.pan, 0xffff);
    expect_refusal(PARSED(0x02, 0x2a, 0x42, 0xcd, 0xab, 0x34, 0x12, 0x02, 0x0f, 0x11, 0x22),
                   FRAME_GOOD);
    expect_equal(frame.destination.pan, 0xabcd);
    expect_equal(frame_short(&frame.destination), 0x1234);
    expect_equal(frame.header_ies_length, 4);
    expect_equal(frame.header_length, 11);
    expect_equal(frame.payload_length, 0);
}

TEST(a_frame_of_2015_may_have_neither_addresses_nor_sequence)
{
    expect_refusal(PARSED(0x01, 0x21), FRAME_GOOD);
    expect(!frame.has_sequence && frame.header_length == 2);
    expect_refusal(PARSED(0x41, 0x21, 0x34, 0x12, 9), FRAME_GOOD);
    expect_equal(frame.destination.pan, 0x1234);
    expect_equal(frame.source.pan, 0x1234);
    expect_equal(frame.payload_length, 1);
}

/* ---------------------------------------------------------------- information elements */
/* A data frame without addresses and sequence number, then IEs. */
#define IES(...) PARSED(0x01, 0x23, __VA_ARGS__)

TEST(header_ies_are_skipped)
{
    expect_refusal(PARSED(0x01, 0x23), FRAME_GOOD); /* an empty list */
    expect_equal(frame.header_ies_length, 0);
    expect_refusal(IES(0x03, 0x0d, 1, 2, 3), FRAME_GOOD); /* ends with the frame */
    expect(frame.header_ies_length == 5 && frame.payload_length == 0);
    expect_refusal(IES(0x00, 0x0d, 0x80, 0x3f, 9, 9), FRAME_GOOD); /* HT2 */
    expect(frame.header_ies_length == 4 && frame.payload_length == 2);
    expect(!frame.payload_ies_follow);
    expect_equal(packet_cursor_u8(&cursor), 9);
    expect_refusal(IES(0x80, 0x3f), FRAME_GOOD);
    expect_equal(frame.header_length, 4);
}

TEST(header_ies_whose_length_lies_are_refused)
{
    expect_refusal(IES(0x03), FRAME_BAD_HEADER_IE);
    expect_refusal(IES(0x03, 0x0d), FRAME_BAD_HEADER_IE);
    expect_refusal(IES(0x03, 0x0d, 1, 2), FRAME_BAD_HEADER_IE);
    expect_refusal(IES(0x7f, 0x0d, 1, 2), FRAME_BAD_HEADER_IE);
    expect_refusal(IES(0x00, 0x8d, 1, 2), FRAME_BAD_HEADER_IE); /* of a payload */
    expect_refusal(IES(0x01, 0x3f, 1), FRAME_BAD_HEADER_IE);    /* HT1 with content */
    expect_refusal(IES(0x81, 0x3f, 1), FRAME_BAD_HEADER_IE);    /* HT2 with content */
    /* A length that reaches into the MIC: level 1, 4 bytes. */
    expect_refusal(PARSED(0x09, 0x23, 0x21, 0x03, 0x0d, 1, 2, 3, 4, 5), FRAME_BAD_HEADER_IE);
    expect_refusal(PARSED(0x09, 0x23, 0x21, 0x01, 0x0d, 1, 2, 3, 4, 5), FRAME_GOOD);
    expect_equal(frame.mic_length, 4);
    expect_refusal(PARSED(0x09, 0x23, 0x21, 1, 2, 3), FRAME_NO_MIC);
}

TEST(payload_ies_are_skipped)
{
    /* HT1; group 1 with two bytes; termination; payload. */
    expect_refusal(IES(0x00, 0x3f, 0x02, 0x88, 1, 2, 0x00, 0xf8, 7), FRAME_GOOD);
    expect(frame.payload_ies_follow && frame.payload_ies_length == 6);
    expect(frame.header_length == 4 && frame.payload_length == 1);
    expect_equal(packet_cursor_u8(&cursor), 7);
    expect_refusal(IES(0x00, 0x3f, 0x02, 0x88, 1, 2), FRAME_GOOD); /* ends with the frame */
    expect(frame.payload_ies_length == 4 && frame.payload_length == 0);
    expect_refusal(IES(0x00, 0x3f), FRAME_GOOD);
    expect_refusal(IES(0x00, 0x3f, 0x00, 0x88, 0x00, 0x88, 0x00, 0xf8),
                   FRAME_GOOD); /* empty ones */
}

TEST(payload_ies_whose_length_lies_are_refused)
{
    expect_refusal(IES(0x00, 0x3f, 0x02), FRAME_BAD_PAYLOAD_IE);
    expect_refusal(IES(0x00, 0x3f, 0x02, 0x88, 1), FRAME_BAD_PAYLOAD_IE);
    expect_refusal(IES(0x00, 0x3f, 0xff, 0x8f, 1), FRAME_BAD_PAYLOAD_IE);
    expect_refusal(IES(0x00, 0x3f, 0x01, 0x08, 1), FRAME_BAD_PAYLOAD_IE); /* of a header */
    expect_refusal(IES(0x00, 0x3f, 0x01, 0xf8, 1), FRAME_BAD_PAYLOAD_IE); /* termination */
}

TEST(encrypted_payload_ies_wait_for_decryption)
{
    /* Level 5: encrypted, a MIC of 4 bytes. */
    expect_refusal(PARSED(0x09, 0x23, 0x25, 0x00, 0x3f, 0x02, 0x88, 1, 2, 0, 0xf8, 7, 1, 2, 3, 4),
                   FRAME_GOOD);
    expect(frame.payload_ies_follow && frame.payload_ies_length == 0);
    expect_equal(frame.payload_length, 7);
    expect_refusal(frame_skip_payload_ies(&cursor), FRAME_GOOD);
    expect_equal(packet_cursor_left(&cursor), 1);
}

/* ---------------------------------------------------------------- packets */
/* A frame with a MIC that is cut at any byte. */
TEST(a_header_is_read_across_blocks)
{
    static const uint8_t data[] = {0x49, 0x98, 0x07, 0x22, 0x11, 0x34, 0x12, 0x78, 0x56, 0x0d, 0x01,
                                   0x02, 0x03, 0x04, 0x05, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
    for (uint16_t cut = 0; cut <= sizeof(data); cut++) {
        packet_t packet, behind;
        expect_equal(packet_alloc(&packet, TEXT("test"), 0, cut), 0);
        expect_equal(packet_alloc(&behind, TEXT("test"), 0, (uint16_t)(sizeof(data) - cut)), 0);
        packet_write(packet, 0, data, cut);
        packet_write(behind, 0, data + cut, (uint16_t)(sizeof(data) - cut));
        packet_join(packet, behind);
        packet_cursor(&cursor, packet, 0);
        expect_refusal(frame_parse(&frame, &cursor), FRAME_GOOD);
        expect_equal(frame.destination.pan, 0x1122);
        expect_equal(frame_short(&frame.destination), 0x1234);
        expect_equal(frame_short(&frame.source), 0x5678);
        expect_equal(frame.security.counter, 0x04030201);
        expect(frame.payload_length == 2 && packet_cursor_u8(&cursor) == 0xaa);
        expect_equal(fcs_of_packet(packet, sizeof(data)), fcs_of(FCS_BEGIN, data, sizeof(data)));
        expect_equal(fcs_of_packet(packet, 17), fcs_of(FCS_BEGIN, data, 17));
        packet_free(packet);
    }
}

/* ---------------------------------------------------------------- building */
static struct frame to_build(uint8_t version, uint8_t destination, uint8_t source)
{
    struct frame made = {.type = FRAME_DATA, .version = version, .has_sequence = true};
    made.destination = (struct frame_address){.mode = destination, .pan = 1};
    made.source = (struct frame_address){.mode = source, .pan = 1};
    return made;
}

TEST(pan_ids_are_left_out_where_they_can_be)
{
    struct frame made = to_build(FRAME_2006, 2, 2);
    expect_refusal(frame_compress(&made), FRAME_GOOD);
    expect(made.pan_compression && made.destination.has_pan && !made.source.has_pan);
    made.source.pan = 2;
    expect_refusal(frame_compress(&made), FRAME_GOOD);
    expect(!made.pan_compression && made.destination.has_pan && made.source.has_pan);
    made = to_build(FRAME_2006, 0, 3);
    expect_refusal(frame_compress(&made), FRAME_GOOD);
    expect(!made.pan_compression && made.source.has_pan);
    made = to_build(FRAME_2015, 3, 3);
    expect_refusal(frame_compress(&made), FRAME_GOOD);
    expect(!made.pan_compression && made.destination.has_pan && !made.source.has_pan);
    made.source.pan = 2;
    expect_refusal(frame_compress(&made), FRAME_COMPRESSION);
    made = to_build(FRAME_2015, 2, 3);
    expect_refusal(frame_compress(&made), FRAME_GOOD);
    expect(made.pan_compression && made.destination.has_pan && !made.source.has_pan);
}

TEST(what_a_version_does_not_have_is_not_built)
{
    uint8_t built[FRAME_HEADER_MAX], length;
    struct frame made = to_build(FRAME_2006, 2, 2);
    made.has_sequence = false;
    expect_refusal(frame_build(&made, built, &length), FRAME_NOT_IN_VERSION);
    made.has_sequence = made.has_ies = true;
    expect_refusal(frame_build(&made, built, &length), FRAME_NOT_IN_VERSION);
    made.has_ies = false;
    made.has_security = made.security.asn_in_nonce = true;
    expect_refusal(frame_build(&made, built, &length), FRAME_NOT_IN_VERSION);
    made.version = FRAME_2003;
    expect_refusal(frame_build(&made, built, &length), FRAME_OLD_SECURITY);
    made.version = FRAME_2015;
    expect_refusal(frame_build(&made, built, &length), FRAME_GOOD);
    made.security.key_mode = 4;
    expect_refusal(frame_build(&made, built, &length), FRAME_NOT_IN_VERSION);
    made.source.mode = 4;
    expect_refusal(frame_build(&made, built, &length), FRAME_RESERVED_ADDRESS);
    made.type = 9;
    expect_refusal(frame_build(&made, built, &length), FRAME_RESERVED_TYPE);
}

/* ---------------------------------------------------------------- PHY and FCS */
TEST(bit_7_of_a_phy_length_is_ignored)
{
    uint8_t length;
    for (unsigned phr = 0; phr < 256; phr++) {
        expect_equal(frame_phy_length((uint8_t)phr, &length) == FRAME_GOOD, phr % 128 >= 4);
        expect_equal(length, phr % 128);
    }
}

static uint16_t fcs_bit_by_bit(uint16_t fcs, uint8_t byte)
{
    for (unsigned bit = 0; bit < 8; bit++) {
        bool is_odd = ((fcs ^ byte >> bit) & 1) != 0;
        fcs = (uint16_t)(fcs >> 1 ^ (is_odd ? 0x8408 : 0));
    }
    return fcs;
}

TEST(the_fcs_is_that_of_the_standard)
{
    /* An acknowledgment, section 7.2.10 of the standard. */
    static const uint8_t acknowledgment[] = {0x02, 0x00, 0x6a, 0xe4, 0x79};
    static const uint8_t digits[] = "123456789";
    expect_equal(fcs_of(FCS_BEGIN, acknowledgment, 3),
                 acknowledgment[3] | (uint16_t)(acknowledgment[4] << 8));
    expect_equal(fcs_of(FCS_BEGIN, acknowledgment, 5), 0);
    expect_equal(fcs_of(FCS_BEGIN, digits, 9), 0x2189); /* of CRC-16/KERMIT in catalogues */
    for (unsigned high = 0; high < 256; high++) {
        uint16_t fcs = (uint16_t)(high * 257);
        for (unsigned byte = 0; byte < 256; byte += 5) {
            expect_equal(fcs_add(fcs, (uint8_t)byte), fcs_bit_by_bit(fcs, (uint8_t)byte));
        }
    }
}
