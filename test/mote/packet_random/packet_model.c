/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "packet_model.h"

#include <stdbool.h>

#include <lichen/packet.h>

PACKET_CHAINS;

/* As many packets as fill the pool now and then, and as long as memory allows. */
#define PACKETS     (sizeof(void *) > 2 ? 9u : 6u)
#define LONGEST     (sizeof(void *) > 2 ? 450u : 150u)
#define ROOMY       70u /* the most headroom */
#define WHOLE_EVERY 32u

#define check(condition) ((condition) ? (void)0 : model_failed(__LINE__))

/* What a packet is. */
struct packet_model {
    packet_t packet; /* PACKET_NONE: this one is not there */
    uint8_t references;
    uint8_t tag; /* its attributes are made of it */
    uint16_t length;
    const char *owner;
    uint8_t bytes[LONGEST];
};

static struct packet_model models[PACKETS];
static uint32_t state;
static const char one[] ARCH_TEXT_PLACED(one) = "one", other[] ARCH_TEXT_PLACED(other) = "other";

static uint32_t random(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (state >> 8) % below;
}

/* Short lengths are as frequent as long ones. */
static uint16_t random_length(uint32_t most)
{
    uint32_t bound = random(2) ? most : most < 20 ? most : 20;
    return (uint16_t)random(bound + 1);
}

static const char *random_owner(void)
{
    return random(2) ? one : other;
}

/* -------- whole packets */

static struct packet_attributes attributes_of(uint8_t tag)
{
    struct packet_attributes attributes = {.dbm = (int8_t)-tag,
                                           .lqi = (uint8_t)(tag + 1),
                                           .channel = (uint8_t)(tag + 2),
                                           .flags = (uint8_t)(tag + 3),
                                           .source = (uint16_t)(tag << 7),
                                           .type = (uint8_t)(tag + 4)};
    return attributes;
}

static void check_attributes(const struct packet_model *model)
{
    const struct packet_attributes *is = packet_attributes(model->packet);
    struct packet_attributes wanted = {0};
    if (model->tag != 0) {
        wanted = attributes_of(model->tag);
    }
    check(is->dbm == wanted.dbm && is->lqi == wanted.lqi);
    check(is->channel == wanted.channel && is->flags == wanted.flags);
    check(is->source == wanted.source && is->type == wanted.type);
}

static void check_read(const struct packet_model *model, uint16_t offset)
{
    uint8_t chunk[24];
    while (offset < model->length) {
        uint16_t left = (uint16_t)(model->length - offset);
        uint16_t length = (uint16_t)(1 + random(left < sizeof(chunk) ? left : sizeof(chunk)));
        packet_read(model->packet, offset, chunk, length);
        for (uint16_t i = 0; i < length; i++) {
            check(chunk[i] == model->bytes[offset + i]);
        }
        offset = (uint16_t)(offset + length);
    }
}

static void check_pieces(const struct packet_model *model, uint16_t offset)
{
    struct packet_piece pieces[3];
    uint8_t count;
    do {
        count = packet_gather(model->packet, offset, pieces, 3);
        check(count <= 3);
        for (uint8_t piece = 0; piece < count; piece++) {
            check(pieces[piece].length > 0 && pieces[piece].length <= PACKET_BLOCK_ROOM);
            for (uint8_t i = 0; i < pieces[piece].length; i++) {
                check(offset < model->length);
                check(pieces[piece].bytes[i] == model->bytes[offset++]);
            }
        }
    } while (count == 3);
    check(offset == model->length);
}

static void check_cursor(const struct packet_model *model, uint16_t offset)
{
    struct packet_cursor cursor;
    uint16_t end = model->length;
    packet_cursor(&cursor, model->packet, offset);
    check(packet_cursor_left(&cursor) == (uint16_t)(end - offset));
    if (random(2)) {
        uint16_t limit = (uint16_t)random((uint32_t)(end - offset) + 3);
        packet_cursor_limit(&cursor, limit);
        end = limit < (uint16_t)(end - offset) ? (uint16_t)(offset + limit) : end;
    }
    const uint8_t *bytes = model->bytes;
    while (!cursor.overrun) {
        uint8_t wide[7];
        uint16_t left = (uint16_t)(end - offset), length;
        check(packet_cursor_left(&cursor) == left);
        switch (random(7)) {
        case 0:
            length = (uint16_t)random(12);
            packet_cursor_skip(&cursor, length);
            break;
        case 1: {
            uint16_t number = packet_cursor_le16(&cursor);
            length = 2;
            check(number == (left < 2 ? 0 : (uint16_t)(bytes[offset] | bytes[offset + 1] << 8)));
            break;
        }
        case 2: {
            uint32_t number = packet_cursor_be32(&cursor);
            length = 4;
            check(number >> 24 == (left < 4 ? 0 : bytes[offset]));
            check((uint8_t)number == (left < 4 ? 0 : bytes[offset + 3]));
            break;
        }
        case 3: {
            uint32_t number = packet_cursor_le32(&cursor);
            length = 4;
            check((uint8_t)number == (left < 4 ? 0 : bytes[offset]));
            check(number >> 24 == (left < 4 ? 0 : bytes[offset + 3]));
            break;
        }
        case 4: {
            uint16_t number = packet_cursor_be16(&cursor);
            length = 2;
            check(number >> 8 == (left < 2 ? 0 : bytes[offset]));
            check((uint8_t)number == (left < 2 ? 0 : bytes[offset + 1]));
            break;
        }
        case 5:
            length = sizeof(wide);
            packet_cursor_bytes(&cursor, wide, length);
            for (uint16_t i = 0; i < length; i++) {
                check(wide[i] == (left < length ? 0 : bytes[offset + i]));
            }
            break;
        default:
            length = 1;
            check(packet_cursor_u8(&cursor) == (left < 1 ? 0 : bytes[offset]));
        }
        check(cursor.overrun == (length > left));
        offset = (uint16_t)(offset + length);
    }
    check(packet_cursor_left(&cursor) == 0 && packet_cursor_u8(&cursor) == 0);
}

static void check_packet(const struct packet_model *model)
{
    check(packet_length(model->packet) == model->length);
    check_attributes(model);
    uint16_t offset = random_length(model->length);
    switch (random(3)) {
    case 0:
        check_read(model, offset);
        break;
    case 1:
        check_pieces(model, offset);
        break;
    default:
        check_cursor(model, offset);
    }
}

static const struct packet_model *model_of(packet_t packet)
{
    for (unsigned i = 0; i < PACKETS; i++) {
        if (models[i].packet == packet) {
            return &models[i];
        }
    }
    return 0;
}

/* Everything that somebody has, and nothing else. */
static void check_all(void)
{
    struct packet_look look = {0};
    struct packet_statistics statistics;
    unsigned packets = 0, blocks = 0;
    packet_statistics(&statistics);
    while (packet_look(&look)) {
        const struct packet_model *model = model_of(look.packet);
        packets++;
        blocks += look.blocks;
        check(model != 0 && look.length == model->length && look.owner == model->owner);
        check(model != 0 && look.references == model->references);
    }
    check(blocks + statistics.free == statistics.blocks);
    check(statistics.least_free <= statistics.free);
    for (unsigned i = 0; i < PACKETS; i++) {
        if (models[i].packet != PACKET_NONE) {
            packets--;
            check_packet(&models[i]);
        }
    }
    check(packets == 0);
}

/* -------- what calls may need */

/* A call that takes blocks: the pool before it. */
static struct packet_statistics before;

static void note(void)
{
    packet_statistics(&before);
}

/* Checks a call that has taken blocks, or was refused.
 * most      blocks that it may need
 * returns   whether it was done */
static bool was_done(int error, enum packet_purpose purpose, unsigned most)
{
    struct packet_statistics after;
    packet_statistics(&after);
    unsigned kept = purpose == PACKET_TO_RECEIVE ? 0 : PACKET_RESERVED_BLOCKS;
    check(error == 0 || error == ERR_FULL);
    check(after.least_free == (before.least_free < after.free ? before.least_free : after.free));
    if (error == 0) {
        check(before.free <= after.free + most);
        check(before.free == after.free || after.free >= kept);
    } else {
        check(before.free < most + kept);
        check(after.free == before.free);
    }
    for (unsigned i = 0; i < PACKET_PURPOSES; i++) {
        bool counts = error != 0 && i == purpose && before.refused[i] != UINT16_MAX;
        check(after.refused[i] == before.refused[i] + counts);
    }
    return error == 0;
}

static unsigned blocks_of(uint16_t bytes)
{
    return (bytes + PACKET_BLOCK_ROOM - 1u) / PACKET_BLOCK_ROOM;
}

static unsigned blocks_of_packet(uint16_t bytes)
{
    return bytes == 0 ? 1u : blocks_of(bytes);
}

/* -------- calls */

static void fill(struct packet_model *model, uint16_t offset, uint16_t length)
{
    for (uint16_t i = 0; i < length; i++) {
        model->bytes[offset + i] = (uint8_t)random(256);
    }
}

static void begin(struct packet_model *model, packet_t packet, uint16_t length)
{
    model->packet = packet;
    model->references = 1;
    model->length = length;
    fill(model, 0, length);
    packet_write(packet, 0, model->bytes, length);
}

static void do_alloc(struct packet_model *model)
{
    uint16_t headroom = random_length(ROOMY), length = random_length(LONGEST);
    packet_t packet;
    model->owner = random_owner();
    model->tag = 0;
    note();
    int error = packet_alloc(&packet, model->owner, headroom, length);
    bool is_block = length <= PACKET_BLOCK_ROOM;
    bool has_headroom = !is_block || headroom + length <= PACKET_BLOCK_ROOM;
    unsigned blocks = is_block ? 1u : blocks_of_packet((uint16_t)(headroom + length));
    if (was_done(error, PACKET_TO_SEND, blocks)) {
        begin(model, packet, length);
        check(!is_block || packet_flat(packet) != 0);
        if (headroom > 0 && has_headroom) { /* there is room for as much in front */
            note();
            model->packet = packet;
            error = packet_prepend(packet, 0, headroom);
            check(was_done(error, PACKET_TO_CHANGE, 0));
            packet_trim_front(packet, headroom);
        }
    }
}

static void do_alloc_receive(struct packet_model *model)
{
    uint16_t length = random_length(LONGEST);
    packet_t packet;
    model->owner = random_owner();
    model->tag = 0;
    note();
    int error = packet_alloc_receive(&packet, model->owner, length);
    if (length > PACKET_BLOCK_ROOM) {
        check(error == ERR_FULL);
    } else if (was_done(error, PACKET_TO_RECEIVE, 1)) {
        begin(model, packet, length);
    }
}

static void do_ref(struct packet_model *model)
{
    if (model->references < 4) {
        packet_ref(model->packet);
        model->references++;
    }
}

static void do_free(struct packet_model *model)
{
    packet_free(model->packet);
    if (--model->references == 0) {
        model->packet = PACKET_NONE;
    }
}

/* The model goes on with one of the two packets. */
static void do_unshare(struct packet_model *model)
{
    packet_t packet = model->packet;
    note();
    bool is_chain = model->length <= PACKET_BLOCK_ROOM && packet_flat(packet) == 0;
    int error = packet_unshare(&packet);
    unsigned most = model->references == 1 && !is_chain
                        ? 0
                        : blocks_of_packet((uint16_t)(LONGEST + 2 * ROOMY)) + 2;
    if (!was_done(error, PACKET_TO_CHANGE, most) || (model->references == 1 && !is_chain)) {
        check(packet == model->packet);
        return;
    }
    check(packet != model->packet);
    check(model->length > PACKET_BLOCK_ROOM || packet_flat(packet) != 0);
    if (model->references == 1) {
        model->packet = packet;
        return;
    }
    if (random(2)) {
        check_packet(model);
        while (--model->references > 0) {
            packet_free(model->packet);
        }
        model->packet = packet;
        model->references = 1;
    } else {
        packet_free(packet);
        model->references--;
    }
}

static void move(uint8_t *to, const uint8_t *from, uint16_t length)
{
    if (to < from) {
        for (uint16_t i = 0; i < length; i++) {
            to[i] = from[i];
        }
    } else {
        while (length-- > 0) {
            to[length] = from[length];
        }
    }
}

static void do_prepend(struct packet_model *model)
{
    uint16_t length = random_length((uint32_t)LONGEST - model->length);
    bool later = random(2) != 0;
    note();
    move(model->bytes + length, model->bytes, model->length);
    fill(model, 0, length);
    int error = packet_prepend(model->packet, later ? 0 : model->bytes, length);
    if (was_done(error, PACKET_TO_CHANGE, blocks_of(length))) {
        model->length = (uint16_t)(model->length + length);
        if (later) {
            packet_write(model->packet, 0, model->bytes, length);
        }
    } else {
        move(model->bytes, model->bytes + length, model->length);
    }
}

static void do_append(struct packet_model *model)
{
    uint16_t length = random_length((uint32_t)LONGEST - model->length);
    uint16_t offset = model->length;
    bool later = random(2) != 0;
    note();
    fill(model, offset, length);
    int error = packet_append(model->packet, later ? 0 : model->bytes + offset, length);
    if (was_done(error, PACKET_TO_CHANGE, blocks_of(length))) {
        model->length = (uint16_t)(offset + length);
        if (later) {
            packet_write(model->packet, offset, model->bytes + offset, length);
        }
    }
}

static void do_trim_front(struct packet_model *model)
{
    uint16_t length = random_length(model->length);
    packet_trim_front(model->packet, length);
    model->length = (uint16_t)(model->length - length);
    move(model->bytes, model->bytes + length, model->length);
}

static void do_trim_back(struct packet_model *model)
{
    uint16_t length = random_length(model->length);
    packet_trim_back(model->packet, length);
    model->length = (uint16_t)(model->length - length);
}

static struct packet_model *any(packet_t (*wanted)(const struct packet_model *))
{
    unsigned first = (unsigned)random(PACKETS);
    for (unsigned i = 0; i < PACKETS; i++) {
        struct packet_model *model = &models[(first + i) % PACKETS];
        if (wanted(model)) {
            return model;
        }
    }
    return 0;
}

static packet_t is_absent(const struct packet_model *model)
{
    return model->packet == PACKET_NONE;
}

static packet_t is_sole(const struct packet_model *model)
{
    return model->packet != PACKET_NONE && model->references == 1;
}

static void do_split(struct packet_model *model)
{
    struct packet_model *second = any(is_absent);
    if (second == 0) {
        return;
    }
    uint16_t offset = random_length(model->length);
    packet_t rest;
    note();
    int error = packet_split(model->packet, offset, &rest);
    if (was_done(error, PACKET_TO_CHANGE, 2)) {
        second->packet = rest;
        second->references = 1;
        second->owner = model->owner;
        second->tag = model->tag;
        second->length = (uint16_t)(model->length - offset);
        move(second->bytes, model->bytes + offset, second->length);
        model->length = offset;
        check_packet(second);
    }
}

static void do_join(struct packet_model *model)
{
    struct packet_model *behind = any(is_sole);
    if (behind != model && (uint16_t)(model->length + behind->length) <= LONGEST) {
        packet_join(model->packet, behind->packet);
        move(model->bytes + model->length, behind->bytes, behind->length);
        model->length = (uint16_t)(model->length + behind->length);
        behind->packet = PACKET_NONE;
    }
}

static void do_write(struct packet_model *model)
{
    uint16_t offset = random_length(model->length);
    uint16_t length = random_length((uint32_t)(model->length - offset));
    fill(model, offset, length);
    packet_write(model->packet, offset, model->bytes + offset, length);
}

static void do_own(struct packet_model *model)
{
    model->owner = random_owner();
    packet_own(model->packet, model->owner);
    model->tag = (uint8_t)(1 + random(100));
    *packet_attributes(model->packet) = attributes_of(model->tag);
}

static void step(void)
{
    static void (*const creating[])(struct packet_model *) = {do_alloc, do_alloc_receive};
    static void (*const changing[])(struct packet_model *) = {
        do_free,      do_ref,   do_unshare, do_prepend, do_append, do_trim_front,
        do_trim_back, do_split, do_join,    do_write,   do_own,    do_append};
    struct packet_model *model = &models[random(PACKETS)];
    if (model->packet == PACKET_NONE) {
        creating[random(2)](model);
    } else {
        unsigned call = (unsigned)random(model->references > 1 ? 3 : 12);
        changing[call](model);
    }
    if (model->packet != PACKET_NONE) {
        check_packet(model);
    }
}

void model_run(uint32_t seed, unsigned calls)
{
    struct packet_statistics statistics;
    state = seed;
    for (unsigned call = 1; call <= calls; call++) {
        step();
        if (call % WHOLE_EVERY == 0) {
            check_all();
        }
    }
    check_all();
    for (unsigned i = 0; i < PACKETS; i++) {
        while (models[i].packet != PACKET_NONE) {
            do_free(&models[i]);
        }
    }
    check_all();
    packet_statistics(&statistics);
    check(statistics.free == statistics.blocks);
}
