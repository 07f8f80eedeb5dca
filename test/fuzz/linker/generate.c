/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Makes containers that are valid. */
#include <string.h>

#include "../host/host.h"
#include "linker.h"

enum {
    ESCAPE = 7,
    MANY = 31,
    LITERALS_MAX = 2 * PROGRAM_MAX,
    PLAIN_BYTES = 512, /* constants without a field: 256 halfwords */
};

static uint32_t random_state;

void generate_begin(uint32_t seed)
{
    random_state = seed | 1u << 31;
}

uint32_t any(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return (random_state >> 8) % below;
}

static bool one_in(uint32_t count)
{
    return any(count) == 0;
}

/* The container that is made. */
static struct {
    uint8_t *bytes;
    size_t length;
    unsigned constants, code, initial, objects, stacks, data; /* bytes */
    uint16_t groups;
    unsigned last;                  /* number on the line */
    uint8_t literals[LITERALS_MAX]; /* of the next token */
    size_t literal_bytes;
} made;

static void put(unsigned byte)
{
    require(made.length < CONTAINER_MAX);
    made.bytes[made.length++] = (uint8_t)byte;
}

static void put_u16(unsigned number)
{
    put(number);
    put(number >> 8);
}

static void put_number(unsigned number)
{
    for (; number >= 128; number /= 128) {
        put(128 | number % 128);
    }
    put(number);
}

/* -------- header, name, records */

static unsigned any_bytes(unsigned most, unsigned align)
{
    return one_in(4) ? 0 : any(one_in(8) ? most + 1 : most / 8 + 1) / align * align;
}

static unsigned events; /* rows of their table; not of programs that are rewritten */

static void put_rows(void)
{
    unsigned left = made.constants;
    for (unsigned row = 0; row < 5; row++) {
        unsigned count = one_in(2) ? 0 : any(left / model_machine.rows[row] % 256 + 1);
        left -= count * model_machine.rows[row];
        put(count);
    }
    put(one_in(2) ? 0 : any(made.objects / model_machine.rows[5] % 256 + 1));
    if (events > left / model_machine.rows[6]) {
        events = left / model_machine.rows[6];
    }
}

static void put_name(unsigned length)
{
    static const char in_names[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    for (unsigned at = 0; at < length; at++) {
        put((unsigned char)in_names[any(at == 0 ? 52 : 63)]);
    }
}

static void put_group(unsigned group)
{
    made.groups |= (uint16_t)(1u << group);
    put(group);
    put_u16(group_fingerprint((uint8_t)group));
}

static void put_records(void)
{
    unsigned count = one_in(4) ? 12 : any(4);
    put(1);
    put(3 * (count + 1));
    put_group(any(GROUP_ABSENT));
    for (unsigned group = 0; group < count; group++) {
        put_group(group);
    }
    if (one_in(4)) {
        unsigned length = any(20);
        put(128 + any(128));
        put(length);
        for (; length > 0; length--) {
            put(any(256));
        }
    }
    if (one_in(4)) {
        put(1);
        put(0);
    }
    if (events > 0) {
        put(2);
        put(2);
        put_u16(1 + any(0xffff));
    }
}

static void put_header(void)
{
    unsigned name = 1 + any(15), trust = any(3);

    events = trust != 0 || one_in(2) ? 0 : any(256);
    put_u16(0xf04c);
    put(1);
    put(model_machine.machine);
    put(any(2) * 4 + trust);
    put(0); /* header bytes */
    put_u16(any(0x10000));
    put_u16(any(0x10000));
    put_u16(made.constants);
    put_u16(made.code);
    put_u16(made.initial);
    put_u16(made.objects);
    put_u16(made.stacks);
    put_u16(made.data);
    put_rows();
    put(name);
    put(events);
    put_name(name);
    put_records();
    while (made.length % 4 != 0) {
        put(0);
    }
    made.bytes[5] = (uint8_t)made.length;
}

/* -------- the stream */

static void put_token(unsigned kind)
{
    unsigned count = (unsigned)made.literal_bytes / 2;
    put(kind * 32 + (count < MANY ? count : MANY));
    if (count >= MANY) {
        put_number(count - MANY);
    }
}

static void put_literals(void)
{
    require(made.length + made.literal_bytes <= CONTAINER_MAX);
    memcpy(made.bytes + made.length, made.literals, made.literal_bytes);
    made.length += made.literal_bytes;
    made.literal_bytes = 0;
}

static void add_literal(uint16_t halfword)
{
    require(made.literal_bytes + 2 <= LITERALS_MAX);
    made.literals[made.literal_bytes++] = (uint8_t)halfword;
    made.literals[made.literal_bytes++] = (uint8_t)(halfword >> 8);
}

unsigned generate_call(void)
{
    unsigned group;
    do {
        group = any(16);
    } while (!(made.groups >> group & 1));
    return group << CALL_GROUP_BITS | any(CALL_NONE);
}

unsigned generate_line(bool is_function)
{
    unsigned flash = made.constants + made.code + made.initial;
    unsigned all = is_function ? flash : flash + made.objects + made.stacks + made.data + 2;
    unsigned line = any(all + 1);
    if (one_in(4)) {
        line = made.last + any(64); /* near the last one */
        line = line > all ? all : line;
    }
    made.last = line;
    return is_function ? line & ~1u : line;
}

/* Token and operand.
 * returns   the number in the field
 */
static unsigned put_reference(unsigned number, bool has_base)
{
    struct model_kind kind = model_kind_of(number);
    unsigned base = !has_base ? 0 : kind.is_function ? 1 : 1 + any(3);

    if (number < ESCAPE && !has_base && !one_in(8)) {
        put_token(number);
    } else {
        put_token(ESCAPE);
        put(base * 32 + number);
    }
    if (has_base) {
        /* That of a function leads to an even address below 64 KB. */
        unsigned any_distance = 0x8001 + any(0xffff), near = 0xc000 + (any(0xc000) & 0xfffe);
        put_u16(kind.is_function ? near : any_distance);
        return 0;
    }
    if (kind.is_byte) {
        put_u16(generate_line(kind.is_function));
        return 0;
    }
    return kind.is_call ? generate_call() : generate_line(kind.is_function);
}

static void put_field(const struct piece *piece)
{
    struct model_kind kind = model_kind_of(piece->kind);
    const uint16_t *from = piece->halfword + piece->halfwords - kind.halfwords;
    uint16_t field[2] = {from[0], kind.halfwords == 2 ? from[1] : 0};
    bool has_base = piece->has_base || (!kind.is_call && one_in(8));

    unsigned held = put_reference(piece->kind, has_base);
    if (held != 0) {
        model_hold(piece->kind, held, field);
    }
    put_literals();
    for (unsigned index = 0; index < kind.halfwords; index++) {
        put_u16(field[index]);
    }
}

static void put_piece(const struct piece *piece)
{
    unsigned field = piece->kind != 0 ? model_kind_of(piece->kind).halfwords : 0;
    for (unsigned index = 0; index < piece->halfwords - field; index++) {
        add_literal(piece->halfword[index]);
    }
    if (field != 0) {
        put_field(piece);
    } else if (one_in(64)) {
        put_token(0);
        put_literals();
    }
}

/* A section, of so many bytes from there on. */
static void put_section(enum model_place where, bool is_initial, unsigned begin, unsigned bytes)
{
    for (unsigned at = 0; at < bytes / 2;) {
        struct piece piece;
        size_t place = is_initial ? SIZE_MAX : begin / 2 + at;
        generate_piece(where, place, bytes / 2 - at, &piece);
        put_piece(&piece);
        at += piece.halfwords;
    }
}

size_t generate(uint8_t *bytes)
{
    memset(&made, 0, sizeof(made));
    made.bytes = bytes;
    bool is_plain = one_in(16);
    made.constants = is_plain ? PLAIN_BYTES : any_bytes(400, 2);
    made.code = any_bytes(600, 2);
    made.initial = any_bytes(400, 2);
    made.objects = any_bytes(400, model_machine.aligned[0]);
    made.stacks = any_bytes(one_in(8) ? 30000 : 800, model_machine.aligned[1]);
    made.data = any_bytes(one_in(8) ? 30000 : 800, model_machine.aligned[2]);
    put_header();
    if (is_plain) {
        for (unsigned at = 0; at < made.constants; at += 2) {
            add_literal((uint16_t)any(0x10000));
        }
    } else {
        put_section(IN_DATA, false, 0, made.constants);
    }
    put_section(IN_CODE, false, made.constants, made.code);
    put_section(IN_DATA, true, made.constants + made.code, made.initial);
    if (made.literal_bytes != 0) {
        put_token(0);
        put_literals();
    }
    return made.length;
}
