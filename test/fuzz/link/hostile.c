/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "hostile.h"

#include "../../mote/ieee802154/compose.h"

enum {
    AM_DISPATCH = 0x3f,
    DATA_REQUEST = 4,
    SHORT = 2,
    EXTENDED = 3,
    TINYOS_LENGTH_AT = 4,
    TINYOS_PAYLOAD_MAX = 118,
    LENGTH_USUAL = 40,
};

static uint32_t state;

void hostile_begin(uint32_t seed)
{
    state = seed | UINT32_C(1) << 31;
}

uint32_t hostile_any(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (state >> 8) % below;
}

static bool one_in(uint32_t count)
{
    return hostile_any(count) == 0;
}

static void put(struct hostile_frame *frame, unsigned byte)
{
    if (frame->length < HOSTILE_MAX) {
        frame->bytes[frame->length++] = (uint8_t)byte;
    }
}

static void put_le16(struct hostile_frame *frame, unsigned number)
{
    put(frame, number);
    put(frame, number >> 8);
}

static void put_random(struct hostile_frame *frame, unsigned count)
{
    for (; count > 0; count--) {
        put(frame, hostile_any(256));
    }
}

static unsigned any_length(void)
{
    return hostile_any(one_in(8) ? HOSTILE_MAX + 1 : LENGTH_USUAL);
}

/* -------- IEEE 802.15.4 */

static unsigned pan_of(const struct hostile_target *target)
{
    return one_in(8) ? 0xffff : one_in(16) ? hostile_any(0x10000) : target->pan;
}

static void put_destination(struct hostile_frame *frame, const struct hostile_target *target,
                            uint8_t mode)
{
    if (mode == SHORT) {
        put_le16(frame, one_in(8) ? 0xffff : one_in(16) ? hostile_any(0x10000) : target->address);
    } else if (mode == EXTENDED) {
        bool is_other = one_in(16);
        for (uint8_t i = 0; i < 8; i++) {
            put(frame, is_other ? hostile_any(256) : target->extended[i]);
        }
    }
}

/* One of few, since a mote keeps few; the reserved ones and the mote's own among them. */
static void put_source(struct hostile_frame *frame, const struct hostile_target *target,
                       uint8_t mode)
{
    if (mode == SHORT) {
        put_le16(frame, one_in(16)   ? 0xfffe + hostile_any(2)
                        : one_in(16) ? target->address
                                     : 0x0100 + hostile_any(12));
    } else if (mode == EXTENDED) {
        put(frame, hostile_any(12));
        for (uint8_t i = 1; i < 8; i++) {
            put(frame, i);
        }
    }
}

static void put_security(struct hostile_frame *frame, const struct combination *combination)
{
    static const uint8_t source_bytes[] = {0, 0, 4, 8};

    put(frame, (unsigned)(combination->level | combination->key_mode << 3 |
                          combination->no_counter << 5 | combination->asn << 6));
    if (!combination->no_counter) {
        bool is_last = one_in(4);
        put_le16(frame, is_last ? 0xffff : hostile_any(0x10000));
        put_le16(frame, is_last ? 0xffff : 0);
    }
    for (uint8_t i = 0; i < source_bytes[combination->key_mode]; i++) {
        put(frame, 0);
    }
    if (combination->key_mode != 0) {
        put(frame, hostile_any(3));
    }
}

/* Short contents, whose length is a lie now and then. */
static void put_ie(struct hostile_frame *frame, unsigned descriptor)
{
    unsigned content = hostile_any(6);

    put_le16(frame, descriptor + (one_in(20) ? hostile_any(128) : content));
    put_random(frame, content);
}

static void put_ies(struct hostile_frame *frame)
{
    for (unsigned count = hostile_any(3); count > 0; count--) {
        put_ie(frame, hostile_any(0x7e) << 7);
    }
    if (one_in(3)) {
        put_le16(frame, 0x3f80);
        return;
    }
    put_le16(frame, 0x3f00);
    for (unsigned count = hostile_any(3); count > 0; count--) {
        put_ie(frame, 0x8000u | hostile_any(15) << 11);
    }
    if (!one_in(3)) {
        put_le16(frame, 0xf800);
    }
}

static void put_payload(struct hostile_frame *frame, uint8_t type)
{
    if (type == 3 && !one_in(4)) {
        put(frame, DATA_REQUEST);
    } else if (!one_in(4)) {
        put(frame, AM_DISPATCH);
        put(frame, hostile_any(8));
    }
    if (!one_in(4)) {
        put_random(frame, any_length());
    }
}

/* Of three in four the type is data or a command, and the version one that there is. One in 16 has
 * no addresses, as only frames of 2015 may. */
static void choose(struct combination *combination)
{
    *combination = (struct combination){
        .type = (uint8_t)(one_in(4) ? hostile_any(8) : 1 + 2 * hostile_any(2)),
        .version = (uint8_t)(one_in(16) ? 3 : hostile_any(3)),
        .destination = (uint8_t)(one_in(4) ? hostile_any(4) : SHORT + hostile_any(2)),
        .source = (uint8_t)(one_in(4) ? hostile_any(4) : SHORT + hostile_any(2)),
        .compression = one_in(2),
        .no_sequence = one_in(8),
        .secured = one_in(4),
        .level = (uint8_t)hostile_any(8),
        .key_mode = (uint8_t)hostile_any(4),
        .no_counter = one_in(8),
        .asn = one_in(8),
    };
    if (one_in(16)) {
        combination->version = 2;
        combination->destination = combination->source = 0;
    }
}

static void make_header(const struct hostile_target *target, struct hostile_frame *frame)
{
    struct combination combination;
    struct composed_pans pans = {.destination = true};

    choose(&combination);
    bool has_ies = combination.version == 2 && one_in(2);
    (void)compose_pans(&combination, &pans); /* what the tables do not have is made, too */
    put(frame, combination.type | (unsigned)(combination.secured << 3 | one_in(8) << 4 |
                                             one_in(2) << 5 | combination.compression << 6));
    put(frame, (unsigned)(combination.no_sequence | has_ies << 1 | combination.destination << 2 |
                          combination.version << 4 | combination.source << 6));
    if (!combination.no_sequence) {
        put(frame, hostile_any(256));
    }
    if (pans.destination) {
        put_le16(frame, pan_of(target));
    }
    put_destination(frame, target, combination.destination);
    if (pans.source) {
        put_le16(frame, pan_of(target));
    }
    put_source(frame, target, combination.source);
    if (combination.secured) {
        put_security(frame, &combination);
    }
    if (has_ies) {
        put_ies(frame);
    }
    put_payload(frame, combination.type);
}

void hostile_change(struct hostile_frame *frame)
{
    for (unsigned changes = hostile_any(3); changes > 0; changes--) {
        uint8_t *byte = &frame->bytes[hostile_any(one_in(2) ? frame->length : 3) % frame->length];
        *byte = (uint8_t)(one_in(2) ? hostile_any(256) : *byte ^ 1u << hostile_any(8));
    }
    if (one_in(8)) {
        frame->length = (uint8_t)(1 + hostile_any(frame->length));
    } else if (one_in(8)) {
        put_random(frame, any_length());
    }
}

static void begin(struct hostile_frame *frame)
{
    frame->length = 0;
    if (one_in(8)) {
        put_random(frame, 1 + any_length());
    }
}

void hostile_make(const struct hostile_target *target, struct hostile_frame *frame)
{
    begin(frame);
    if (frame->length == 0) {
        make_header(target, frame);
    }
    if (one_in(2)) {
        hostile_change(frame);
    }
}

/* -------- TinyOS */

static void put_be16(struct hostile_frame *frame, unsigned number)
{
    put(frame, number >> 8);
    put(frame, number);
}

static void make_header_of_tinyos(const struct hostile_target *target, struct hostile_frame *frame)
{
    unsigned length = one_in(4) ? hostile_any(3) : any_length() % (TINYOS_PAYLOAD_MAX + 1);

    put_be16(frame, one_in(4) ? 0xffff : one_in(16) ? hostile_any(0x10000) : target->address);
    put_be16(frame, one_in(16)   ? 0xfffe + hostile_any(2)
                    : one_in(16) ? target->address
                                 : 0x0100 + hostile_any(12));
    put(frame, length);
    put(frame, one_in(16) ? hostile_any(256) : target->pan);
    put(frame, one_in(4) ? 0xfe + hostile_any(2) : one_in(4) ? hostile_any(256) : hostile_any(8));
    if (length > 0 && one_in(4)) {
        put(frame, AM_DISPATCH); /* a message, if it is a packet of two bytes or more */
        length--;
    }
    put_random(frame, length);
}

void hostile_make_bytes(const struct hostile_target *target, struct hostile_frame *frame)
{
    begin(frame);
    if (frame->length == 0) {
        make_header_of_tinyos(target, frame);
    }
    if (one_in(2)) {
        hostile_change(frame);
    }
    if (frame->length > TINYOS_LENGTH_AT && !one_in(16)) {
        uint8_t least = TINYOS_LENGTH_AT + 3;
        while (frame->length < least) {
            put(frame, 0);
        }
        frame->bytes[TINYOS_LENGTH_AT] = (uint8_t)(frame->length - least);
    }
}
