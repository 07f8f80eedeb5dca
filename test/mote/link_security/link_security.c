/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <lichen/link_security.h>

#include <string.h>

#include <lichen/arch.h>

#include "net/security/devices.h"
#include "net/security/frame.h"

#include "../storage_faults/played_medium.h"
#include "test.h"

enum {
    KEYS = 3,
    DEVICES = 4,
    OPEN = 21,
    PRIVATE = 30,
    ROOM = OPEN + PRIVATE + SECURITY_MIC_MOST,
};

LINK_SECURITY(security, KEYS, DEVICES);

static const uint8_t key[LINK_KEY_BYTES] = {0xc0, 0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7,
                                            0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf};
static const struct link_key_name by_index = {.mode = LINK_KEY_INDEX, .index = 1};

/* -------- a sender and a receiver that share keys and counter */

static struct security_pass pass;
static struct security_header header;
static uint8_t frame[ROOM];
static uint8_t sender[LINK_EXTENDED_BYTES] = {0xac, 0xde, 0x48, 0, 0, 0, 0, 1};
static uint8_t level;

/* Power is back: what was in RAM is gone. */
static void restart(void)
{
    played_restart();
    security_counter.is_open = false;
    link_devices_forget(&security);
    for (unsigned i = 0; i < KEYS; i++) {
        security.keys[i].levels = 0;
    }
    sender[7] = 1;
    level = LINK_LEVEL_ENC_MIC_32;
}

static void renew(void)
{
    played_renew();
    restart();
    expect_equal(link_key_set(&security, &by_index, key, LINK_LEVELS_USUAL), 0);
    expect_equal(counter_reserve(security.counter), 0);
}

static enum link_refusal send(const struct link_key_name *name)
{
    struct security_outgoing out = {.key = name,
                                    .sender = sender,
                                    .open_bytes = OPEN,
                                    .private_bytes = PRIVATE,
                                    .level = level};
    enum link_refusal refusal = security_outgoing_begin(&pass, &security, &out, &header);

    if (refusal == LINK_GOOD) {
        for (unsigned i = 0; i < OPEN + PRIVATE; i++) {
            frame[i] = (uint8_t)(3 * i);
        }
        security_header_write(&header, frame + 5);
        security_open(&pass, frame, OPEN);
        security_private(&pass, frame + OPEN, PRIVATE);
        security_outgoing_end(&pass, frame + OPEN + PRIVATE);
    }
    return refusal;
}

/* Receives a copy of the frame, whose header is at its place, with other addresses if `in` says so.
 */
static enum link_refusal receive_from(struct security_incoming in, uint16_t other_bytes)
{
    static uint8_t received[ROOM];
    struct security_header read;

    in.open_bytes = OPEN;
    in.other_bytes = other_bytes;
    memcpy(received, frame, ROOM);
    enum link_refusal refusal = security_header_read(received + 5, OPEN - 5, &read);
    if (refusal == LINK_GOOD) {
        refusal = security_incoming_begin(&pass, &security, &in, &read);
    }
    if (refusal == LINK_GOOD) {
        uint16_t private_bytes = other_bytes - security_mic_bytes(read.level);
        security_open(&pass, received, OPEN);
        security_private(&pass, received + OPEN, private_bytes);
        refusal = security_incoming_end(&pass, received + OPEN + private_bytes);
    }
    for (unsigned i = OPEN; refusal == LINK_GOOD && i < OPEN + PRIVATE; i++) {
        expect_equal(received[i], (uint8_t)(3 * i));
    }
    return refusal;
}

static enum link_refusal receive(void)
{
    struct security_incoming in = {.extended = sender};

    return receive_from(in, PRIVATE + security_mic_bytes(level));
}

static void send_and_receive(void)
{
    expect_equal(send(&by_index), LINK_GOOD);
    expect_equal(receive(), LINK_GOOD);
}

/* -------- the standard */

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

/* -------- headers */

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

/* -------- levels and keys */

#define LEVELS_ALL 0xeeu

TEST(each_level_and_mode_is_received_as_it_is_sent)
{
    struct link_key_name name = {.index = 7, .source = {1, 2, 3, 4, 5, 6, 7, 8}};

    for (name.mode = 0; name.mode < 4; name.mode++) {
        renew();
        expect_equal(link_key_set(&security, &name, key, LEVELS_ALL), 0);
        for (level = 1; level < 8; level++) {
            if (level == LINK_LEVEL_ENC) {
                continue;
            }
            expect_equal(send(&name), LINK_GOOD);
            expect((frame[OPEN] == (uint8_t)(3 * OPEN)) == (level < LINK_LEVEL_ENC));
            expect_equal(receive(), LINK_GOOD);
            expect_equal(send(&name), LINK_GOOD);
            frame[OPEN + 3] ^= 1;
            expect_equal(receive(), LINK_MIC_WRONG);
        }
    }
}

TEST(a_level_that_a_key_does_not_have_is_refused)
{
    renew();
    level = LINK_LEVEL_MIC_64;
    expect_equal(send(&by_index), LINK_LEVEL_REFUSED);
    level = LINK_LEVEL_NONE;
    expect_equal(send(&by_index), LINK_LEVEL_MISSING);
    level = LINK_LEVEL_ENC;
    expect_equal(send(&by_index), LINK_LEVEL_WITHOUT_MIC);
    level = LINK_LEVEL_ENC_MIC_64;
    expect_equal(send(&by_index), LINK_GOOD);
    expect_equal(link_key_set(&security, &by_index, key, LINK_LEVELS(5)), 0);
    expect_equal(receive(), LINK_LEVEL_REFUSED);
}

TEST(a_key_is_known_by_its_whole_name)
{
    struct link_key_name name = {.mode = LINK_KEY_SOURCE_4, .index = 1, .source = {1, 2, 3, 4}};

    renew();
    expect_equal(send(&name), LINK_KEY_UNKNOWN);
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), 0);
    expect_equal(send(&name), LINK_GOOD);
    expect_equal(receive(), LINK_GOOD);
    name.source[3] = 5;
    expect_equal(send(&name), LINK_KEY_UNKNOWN);
    name.source[3] = 4;
    name.source[7] = 9; /* that mode has four of them */
    expect_equal(send(&name), LINK_GOOD);
    name.index = 2;
    expect_equal(send(&name), LINK_KEY_UNKNOWN);
    expect_equal(link_key_remove(&security, &by_index), 0);
    expect_equal(link_key_remove(&security, &by_index), ERR_EMPTY);
    expect_equal(send(&by_index), LINK_KEY_UNKNOWN);
}

TEST(a_removed_key_is_not_left_in_memory)
{
    static const struct link_key_name name = {.mode = LINK_KEY_INDEX, .index = 77};
    uint8_t secret[LINK_KEY_BYTES];

    memset(secret, 0xa7, sizeof(secret));
    renew();
    expect_equal(link_key_remove(&security, &by_index), 0);
    expect_equal(link_key_set(&security, &name, secret, LINK_LEVELS_USUAL), 0);
    expect_equal(link_key_remove(&security, &name), 0);
    for (uint8_t i = 0; i < security.key_count; i++) {
        expect(memcmp(security.keys[i].bytes, secret, sizeof(secret)) != 0);
    }
}

TEST(a_frame_of_another_key_is_not_genuine)
{
    uint8_t other[LINK_KEY_BYTES];

    renew();
    expect_equal(send(&by_index), LINK_GOOD);
    memcpy(other, key, sizeof(other));
    other[9] ^= 0x10;
    expect_equal(link_key_set(&security, &by_index, other, LINK_LEVELS_USUAL), 0);
    expect_equal(receive(), LINK_MIC_WRONG);
    expect_equal(link_key_set(&security, &by_index, key, LINK_LEVELS_USUAL), 0);
    expect_equal(receive(), LINK_GOOD);
}

TEST(keys_that_make_no_sense_are_refused)
{
    struct link_key_name name = {.mode = 4, .index = 1};

    renew();
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), ERR_INVALID);
    name.mode = LINK_KEY_INDEX;
    expect_equal(link_key_set(&security, &name, key, 0), ERR_INVALID);
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS(4)), ERR_INVALID);
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS(0) | LINK_LEVELS(5)), ERR_INVALID);
    name.index = 0;
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), ERR_INVALID);
    for (name.index = 1; name.index <= KEYS; name.index++) {
        expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), 0);
    }
    expect_equal(link_key_set(&security, &name, key, LINK_LEVELS_USUAL), ERR_FULL);
}

/* -------- hostile frames */

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

/* -------- counters of others */

TEST(a_frame_is_accepted_once)
{
    static uint8_t older[ROOM];

    renew();
    send_and_receive();
    expect_equal(receive(), LINK_COUNTER_OLD);
    memcpy(older, frame, ROOM);
    send_and_receive();
    memcpy(frame, older, ROOM);
    expect_equal(receive(), LINK_COUNTER_OLD);
}

/* A counter that nobody has authenticated changes nothing. */
TEST(a_forged_counter_does_not_silence_its_victim)
{
    renew();
    send_and_receive();
    expect_equal(send(&by_index), LINK_GOOD);
    frame[5 + 4] = 0x7f;
    expect_equal(receive(), LINK_MIC_WRONG);
    frame[5 + 4] = 0;
    expect_equal(receive(), LINK_GOOD);
}

TEST(the_last_counter_is_neither_received_nor_sent)
{
    renew();
    security_counter.next = COUNTER_END - 1;
    security_counter.limit = COUNTER_END;
    send_and_receive();
    expect_equal(send(&by_index), LINK_COUNTER_USED_UP);
    expect_equal(counter_reserve(security.counter), ERR_FULL);
    memset(frame + 6, 0xff, 4);
    expect_equal(receive(), LINK_COUNTER_LAST);
}

/* Frames of a sender whose counter is `counter`. */
static void send_as(uint8_t who, uint32_t counter)
{
    sender[7] = who;
    security_counter.limit = COUNTER_END;
    security_counter.next = counter;
    expect_equal(send(&by_index), LINK_GOOD);
}

static void hear(uint8_t who, uint32_t counter, enum link_refusal wanted)
{
    send_as(who, counter);
    expect_equal(receive(), wanted);
}

TEST(a_device_without_a_place_cannot_be_replayed)
{
    renew();
    hear(1, 100, LINK_GOOD);
    hear(2, 50, LINK_GOOD);
    hear(3, 200, LINK_GOOD);
    hear(4, 300, LINK_GOOD);
    expect_equal(security.floor, 0);
    hear(5, 10, LINK_GOOD); /* takes the place of 2 */
    expect_equal(security.floor, 51);
    hear(2, 50, LINK_COUNTER_OLD);
    hear(5, 10, LINK_COUNTER_OLD);
    hear(6, 50, LINK_COUNTER_OLD); /* below the floor */
    hear(6, 51, LINK_GOOD);        /* takes the place of 5 */
    expect_equal(security.floor, 51);
    hear(5, 11, LINK_COUNTER_OLD);
    hear(2, 52, LINK_GOOD); /* takes the place of 6 */
    expect_equal(security.floor, 52);
    hear(6, 51, LINK_COUNTER_OLD);
    hear(1, 100, LINK_COUNTER_OLD);
    hear(1, 101, LINK_GOOD);
}

/* More devices than places, at random: no frame is accepted twice. */
TEST(no_frame_is_accepted_twice_however_many_devices_there_are)
{
    static uint32_t accepted[10], seed;
    unsigned count = 0;

    renew();
    memset(accepted, 0, sizeof(accepted));
    for (unsigned i = 0; i < 400; i++) {
        seed = seed * 1664525u + 1013904223u;
        uint8_t who = (uint8_t)((seed >> 16) % 10);
        uint32_t counter = accepted[who] + (seed >> 24) % 8;
        counter = counter > 2 ? counter - 2 : 1;
        send_as(who, counter);
        bool is_good = receive() == LINK_GOOD;
        expect(!is_good || counter > accepted[who]);
        accepted[who] = is_good ? counter : accepted[who];
        count += is_good;
    }
    expect(count > 50);
}

TEST(a_trusted_source_can_say_where_a_counter_is)
{
    renew();
    for (uint8_t who = 1; who < 7; who++) {
        hear(who, 100u * who, LINK_GOOD);
    }
    expect_equal(security.floor, 201);
    hear(7, 20, LINK_COUNTER_OLD);
    link_device_add(&security, sender, 20);
    hear(7, 19, LINK_COUNTER_OLD);
    hear(7, 20, LINK_GOOD);
    link_device_add(&security, sender, 3);
    hear(7, 20, LINK_COUNTER_OLD);
    hear(7, 21, LINK_GOOD);
}

/* -------- short addresses */

TEST(a_short_address_leads_to_the_sender)
{
    struct security_incoming in = {.pan = 0x4321, .short_address = 0x0012};
    uint8_t other[LINK_EXTENDED_BYTES] = {9};

    renew();
    expect_equal(send(&by_index), LINK_GOOD);
    expect_equal(receive_from(in, PRIVATE + 4), LINK_DEVICE_UNKNOWN);
    expect_equal(link_device_name(&security, sender, 0x4321, 0x0012), 0);
    in.pan = 0x4322;
    expect_equal(receive_from(in, PRIVATE + 4), LINK_DEVICE_UNKNOWN);
    in.pan = 0x4321;
    expect_equal(receive_from(in, PRIVATE + 4), LINK_GOOD);
    expect_equal(receive_from(in, PRIVATE + 4), LINK_COUNTER_OLD);
    expect_equal(receive(), LINK_COUNTER_OLD);
    expect_equal(send(&by_index), LINK_GOOD);
    expect_equal(link_device_name(&security, other, 0x4321, 0x0012), 0);
    expect_equal(receive_from(in, PRIVATE + 4), LINK_MIC_WRONG);
    expect_equal(link_device_name(&security, sender, 0x4321, 0x0012), 0);
    expect_equal(receive_from(in, PRIVATE + 4), LINK_GOOD);
}

/* Names that nobody has authenticated displace each other, and no counters. */
TEST(names_do_not_displace_devices_that_were_authenticated)
{
    uint8_t other[LINK_EXTENDED_BYTES] = {9};

    renew();
    for (uint8_t who = 1; who < DEVICES; who++) {
        hear(who, 100, LINK_GOOD);
    }
    for (other[7] = 0; other[7] < 20; other[7]++) {
        expect_equal(link_device_name(&security, other, 1, other[7]), 0);
    }
    hear(DEVICES, 100, LINK_GOOD);
    expect_equal(security.floor, 0);
    expect_equal(link_device_name(&security, other, 1, 2), ERR_FULL);
    hear(1, 100, LINK_COUNTER_OLD);
}

/* -------- this mote's counters */

TEST(nothing_is_sent_without_a_counter)
{
    renew();
    security_counter.next = security_counter.limit;
    expect_equal(send(&by_index), LINK_COUNTER_NONE);
    expect_equal(counter_reserve(security.counter), 0);
    expect_equal(send(&by_index), LINK_GOOD);
}

/* Sends until power fails. Returns the largest counter, or `before`. */
static uint32_t send_until_cut(uint32_t before)
{
    for (unsigned i = 0; i < 5 && counter_reserve(security.counter) == 0; i++) {
        while (send(&by_index) == LINK_GOOD) {
            expect(before == UINT32_MAX || header.counter > before);
            before = header.counter;
            if (security_counter.limit - security_counter.next > 3) {
                security_counter.next = security_counter.limit - 2;
            }
        }
    }
    return before;
}

TEST(no_nonce_repeats_whichever_operation_is_cut)
{
    for (uint16_t cut = 0; cut < 10; cut++) {
        for (uint16_t torn = 0; torn < 8; torn += 3) {
            renew();
            played.cut_after = cut;
            played.torn_bytes = torn;
            uint32_t last = send_until_cut(UINT32_MAX);
            restart();
            expect_equal(link_key_set(&security, &by_index, key, LINK_LEVELS_USUAL), 0);
            expect(send_until_cut(last) != last);
        }
    }
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
