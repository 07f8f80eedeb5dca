/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The standard's frames, and headers. */
#include <string.h>

#include "pair.h"
#include "test.h"

/* A frame of IEEE 802.15.4, annex C.2, as it is sent. */
struct example {
    uint8_t header_at, open_bytes, private_bytes;
    uint8_t plain[30];
    uint8_t secured[9];
};

static const ARCH_FLASH struct example examples[] = {
    {13,
     18,
     8,
     {0x08, 0xd0, 0x84, 0x21, 0x43, 0x01, 0x00, 0x00, 0x00, 0x00, 0x48, 0xde, 0xac,
      0x02, 0x05, 0x00, 0x00, 0x00, 0x55, 0xcf, 0x00, 0x00, 0x51, 0x52, 0x53, 0x54},
     {0x22, 0x3b, 0xc1, 0xec, 0x84, 0x1a, 0xb5, 0x53}},
    {23,
     29,
     1,
     {0x2b, 0xdc, 0x84, 0x21, 0x43, 0x02, 0x00, 0x00, 0x00, 0x00, 0x48, 0xde, 0xac, 0xff, 0xff,
      0x01, 0x00, 0x00, 0x00, 0x00, 0x48, 0xde, 0xac, 0x06, 0x05, 0x00, 0x00, 0x00, 0x01, 0xce},
     {0xd8, 0x4f, 0xde, 0x52, 0x90, 0x61, 0xf9, 0xc6, 0xf1}},
};

static const struct link_key_name implicit = {.mode = LINK_KEY_IMPLICIT};

/* What is enciphered, and the MIC, are at the end of `secured`. */
static void load_example(const ARCH_FLASH struct example *e, bool is_secured)
{
    unsigned bytes = e->open_bytes + e->private_bytes;

    for (unsigned i = 0; i < bytes; i++) {
        frame[i] = e->plain[i];
    }
    for (unsigned i = 0; is_secured && i < 8; i++) {
        frame[bytes + i] = e->secured[e->secured[8] ? i + 1 : i];
    }
    if (is_secured && e->secured[8]) {
        frame[bytes - 1] = e->secured[0];
    }
}

TEST(frames_of_the_standard_are_received)
{
    for (unsigned i = 0; i < 2; i++) {
        const ARCH_FLASH struct example *e = &examples[i];
        struct security_incoming in = {
            .extended = sender, .open_bytes = e->open_bytes, .other_bytes = e->private_bytes + 8u};
        renew();
        expect_equal(link_key_set(&security, &implicit, key, LINK_LEVELS(2) | LINK_LEVELS(6)), 0);
        load_example(e, true);
        expect_equal(security_header_read(frame + e->header_at, 20, &header), LINK_GOOD);
        expect_equal(header.counter, 5);
        expect_equal(security_incoming_begin(&pass, &security, &in, &header), LINK_GOOD);
        security_open(&pass, frame, e->open_bytes);
        security_private(&pass, frame + e->open_bytes, e->private_bytes);
        uint8_t *mic = frame + e->open_bytes + e->private_bytes;
        expect_equal(security_incoming_end(&pass, mic), LINK_GOOD);
        expect_equal(mic[-1], e->plain[e->open_bytes + e->private_bytes - 1]);
    }
}

TEST(frames_of_the_standard_are_sent)
{
    for (unsigned i = 0; i < 2; i++) {
        const ARCH_FLASH struct example *e = &examples[i];
        struct security_outgoing out = {.key = &implicit,
                                        .sender = sender,
                                        .open_bytes = e->open_bytes,
                                        .private_bytes = e->private_bytes,
                                        .level = e->plain[e->header_at]};
        renew();
        expect_equal(link_key_set(&security, &implicit, key, LINK_LEVELS(2) | LINK_LEVELS(6)), 0);
        security_counter.next = 5;
        expect_equal(security_outgoing_begin(&pass, &security, &out, &header), LINK_GOOD);
        load_example(e, true);
        uint8_t wanted[9], *last = frame + e->open_bytes + e->private_bytes - 1;
        memcpy(wanted, last, sizeof(wanted));
        load_example(e, false);
        memset(frame + e->header_at, 0, 5);
        security_header_write(&header, frame + e->header_at);
        security_open(&pass, frame, e->open_bytes);
        security_private(&pass, frame + e->open_bytes, e->private_bytes);
        security_outgoing_end(&pass, last + 1);
        expect_equal(memcmp(last, wanted, sizeof(wanted)), 0);
    }
}

TEST(headers_are_read_as_they_were_written)
{
    static const ARCH_FLASH uint8_t lengths[] = {5, 6, 10, 14};

    for (uint8_t mode = 0; mode < 4; mode++) {
        struct security_header read, written = {.counter = 0x12345678, .level = 5};
        uint8_t bytes[SECURITY_HEADER_MOST + 1];
        written.key.mode = mode;
        written.key.index = mode == LINK_KEY_IMPLICIT ? 0 : 0x42;
        for (uint8_t i = 0; i < (mode == LINK_KEY_SOURCE_4 ? 4 : mode == 3 ? 8 : 0); i++) {
            written.key.source[i] = 0x80 + i;
        }
        memset(bytes, 0xee, sizeof(bytes));
        security_header_write(&written, bytes);
        expect_equal(security_header_bytes(&written), lengths[mode]);
        expect_equal(bytes[lengths[mode]], 0xee);
        for (uint8_t length = 0; length < lengths[mode]; length++) {
            expect_equal(security_header_read(bytes, length, &read), LINK_HEADER_CUT);
        }
        expect_equal(security_header_read(bytes, lengths[mode], &read), LINK_GOOD);
        expect_equal(memcmp(&read.key, &written.key, sizeof(read.key)), 0);
        expect_equal(read.counter, written.counter);
        expect_equal(read.level, 5);
    }
}

TEST(headers_that_make_no_sense_are_refused)
{
    uint8_t bytes[SECURITY_HEADER_MOST] = {0};

    for (unsigned control = 0; control < 256; control++) {
        unsigned bits = control & 7, mode = control >> 3 & 3;
        bytes[0] = (uint8_t)control;
        enum link_refusal wanted = control & 0x80   ? LINK_HEADER_RESERVED
                                   : control & 0x60 ? LINK_COUNTER_ABSENT
                                   : bits == 0      ? LINK_LEVEL_MISSING
                                   : bits == 4      ? LINK_LEVEL_WITHOUT_MIC
                                   : mode == 0      ? LINK_GOOD
                                                    : LINK_HEADER_RESERVED;
        expect_equal(security_header_read(bytes, sizeof(bytes), &header), wanted);
    }
}

TEST(mics_have_the_length_of_their_level)
{
    static const ARCH_FLASH uint8_t lengths[] = {0, 4, 8, 16, 0, 4, 8, 16};

    for (uint8_t each = 0; each < 8; each++) {
        expect_equal(security_mic_bytes(each), lengths[each]);
    }
}
