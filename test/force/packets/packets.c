/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The pool of packets, used by threads, events and interrupts. Each level of interrupts has a spare
 * packet of its own.
 *
 * Laws: no block is lost, and none is in two packets; every packet that somebody has is as it was
 * made; nothing else is in use. An interrupt gets a packet if there was one for it.
 */
#include <lichen/packet.h>

#include "force.h"

/* Short blocks. So many bytes take two, and a header of so many a third. */
#define FRAME  16u
#define ROOM   (PACKET_BLOCK_BYTES(FRAME) - offsetof(struct packet_block, bytes))
#define LENGTH (ROOM + 8u)
#define HEADER (ROOM - 4u)
#define MOST   3u

/* Enough for all actors and their spares: only in one state an allocation may be refused. */
#define BLOCKS (PACKET_RESERVED_BLOCKS + (2u * FORCE_ACTORS + FORCE_LEVELS) * MOST)
PACKET_POOL_OF(BLOCKS, FRAME);
PACKET_CHAINS;

#define OWN_SPARES(level, name) PACKET_SPARES(name##_##level, "force", 1, ROOM);
SOFTWARE_EACH_LEVEL(OWN_SPARES, spares)
#define SPARES(level, name) &name##_##level,
static const struct packet_spares *const spares[FORCE_LEVELS] = {
    SOFTWARE_EACH_LEVEL(SPARES, spares)};

static const char force[] ARCH_TEXT_PLACED(force) = "force";

/* What each actor, and the conductor, has. */
static volatile packet_t has[FORCE_ACTORS + 1];
static volatile uint8_t took_none[FORCE_ACTORS];

/* The first and the last byte of a packet tell its owner. */
static void mark(packet_t packet, unsigned actor)
{
    uint8_t byte = (uint8_t)(0x50 + actor);
    packet_write(packet, 0, &byte, 1);
    packet_write(packet, (uint16_t)(packet_length(packet) - 1u), &byte, 1);
}

static void check_marks(packet_t packet, unsigned actor)
{
    uint8_t first, last;
    packet_read(packet, 0, &first, 1);
    packet_read(packet, (uint16_t)(packet_length(packet) - 1u), &last, 1);
    force_expect(first == (uint8_t)(0x50 + actor) && last == first);
}

static const struct force_state nearly_full;

/* Allocates a packet of an actor. Returns PACKET_NONE if it is refused. */
static packet_t allocate(unsigned actor)
{
    packet_t packet;
    if (packet_alloc(&packet, force, 0, LENGTH) != 0) {
        force_expect(force_begins(&nearly_full));
        return PACKET_NONE;
    }
    mark(packet, actor);
    return packet;
}

/* -------- operations */

static void keep(unsigned actor)
{
    has[actor] = allocate(actor);
}

static void use(unsigned actor)
{
    packet_t packet = allocate(actor);
    if (packet != PACKET_NONE) {
        packet_ref(packet);
        check_marks(packet, actor);
        packet_free(packet);
        packet_free(packet);
    }
}

/* A header in front that comes and goes, and a part that does. */
static void change(unsigned actor)
{
    static const uint8_t header[HEADER];
    packet_t packet = allocate(actor), rest;
    if (packet == PACKET_NONE) {
        return;
    }
    if (packet_prepend(packet, header, HEADER) == 0) {
        packet_trim_front(packet, HEADER);
    }
    if (packet_split(packet, LENGTH / 2, &rest) == 0) {
        packet_join(packet, rest);
    }
    force_expect(packet_length(packet) == LENGTH);
    check_marks(packet, actor);
    packet_trim_back(packet, LENGTH - 1);
    has[actor] = packet;
}

static void fill(unsigned actor __attribute__((unused)))
{
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        bool may_be_refused = force_begins(&nearly_full); /* the reserve is for two of them */
        force_expect(packet_spares_fill(spares[level]) == 0 || may_be_refused);
    }
}

static inline __attribute__((always_inline)) void take(unsigned actor, unsigned level)
{
    packet_t before = spares[level]->slots[0], packet = packet_spares_take(spares[level]);
    force_expect(packet == before);
    if (packet == PACKET_NONE) {
        took_none[actor] = 1;
        return;
    }
    mark(packet, actor);
    has[actor] = packet;
}
FORCE_AT_EACH_LEVEL(take)

/* -------- states */

static void enter_filled(void)
{
    fill(FORCE_CONDUCTOR);
}

/* All blocks have been used, so that they come from those that were freed. */
static void enter_touched(void)
{
    packet_t packets[BLOCKS];
    unsigned count = 0;
    while (packet_alloc_receive(&packets[count], force, 1) == 0) {
        count++;
    }
    while (count > 0) {
        packet_free(packets[--count]);
    }
    fill(FORCE_CONDUCTOR);
}

/* There is a packet for one actor, but not for two. */
static void enter_nearly_full(void)
{
    keep(FORCE_CONDUCTOR);
    while (BLOCKS - packet_pool.used > PACKET_RESERVED_BLOCKS + MOST) {
        force_expect(packet_append(has[FORCE_CONDUCTOR], 0, ROOM) == 0);
    }
    mark(has[FORCE_CONDUCTOR], FORCE_CONDUCTOR);
}

static const struct force_state empty = {.name = "empty"};
static const struct force_state filled = {.name = "filled", .enter = enter_filled};
static const struct force_state touched = {.name = "touched", .enter = enter_touched};
static const struct force_state nearly_full = {.name = "nearly_full", .enter = enter_nearly_full};

const struct force_state *const force_states[] = {&empty, &filled, &touched, &nearly_full};

/* -------- the object */

static void prepare(void)
{
    packet_pool = (struct packet_pool){0};
    for (unsigned block = 0; block < BLOCKS; block++) {
        packet_references[block] = PACKET_FREE;
    }
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        has[actor] = PACKET_NONE;
    }
    for (unsigned actor = 0; actor < FORCE_ACTORS; actor++) {
        took_none[actor] = 0;
    }
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        spares[level]->slots[0] = PACKET_NONE;
    }
}

static unsigned in_use(void)
{
    unsigned blocks = 0;
    for (unsigned block = 0; block < BLOCKS; block++) {
        blocks += packet_references[block] != PACKET_FREE;
    }
    return blocks;
}

static const struct packet_block *block_of(packet_t block)
{
    return (const struct packet_block *)(const void *)(packet_blocks +
                                                       (block - 1u) * packet_block_bytes);
}

/* Follows the free blocks. */
static void check_free(void)
{
    unsigned blocks = 0;
    packet_t last = PACKET_NONE;
    for (packet_t block = packet_pool.first_free; block != PACKET_NONE && blocks < 255;
         block = block_of(block)->next) {
        force_expect(packet_references[block - 1u] == PACKET_FREE);
        blocks++;
        last = block;
    }
    force_expect(last == PACKET_NONE || last == packet_pool.last_free);
    force_expect(blocks + packet_pool.used == packet_pool.touched);
}

static void check_look(void)
{
    struct packet_look look = {0};
    unsigned blocks = 0;
    while (packet_look(&look)) {
        force_expect(look.references == 1 && look.owner != 0);
        blocks += look.blocks;
    }
    force_expect(blocks == packet_pool.used);
    force_expect(in_use() == packet_pool.used);
}

static void check(void)
{
    check_free();
    check_look();
    for (unsigned actor = 0; actor <= FORCE_ACTORS; actor++) {
        if (has[actor] != PACKET_NONE) {
            check_marks(has[actor], actor);
            packet_free(has[actor]);
        }
    }
    for (unsigned level = 0; level < FORCE_LEVELS; level++) {
        packet_t packet = packet_spares_take(spares[level]);
        if (packet != PACKET_NONE) {
            packet_free(packet);
        }
    }
    force_expect(packet_pool.used == 0 && in_use() == 0);
    if (force_begins(&filled) || force_begins(&touched)) {
        force_expect(force_sum(took_none, FORCE_ACTORS) == 0);
    }
}

static const struct force_object object = {.prepare = prepare, .check = check};

static const struct force_operation operation_keep = {
    .name = "keep", .object = &object, .in_thread = keep, .in_event = keep};
static const struct force_operation operation_use = {
    .name = "use", .object = &object, .in_thread = use, .in_event = use};
static const struct force_operation operation_change = {
    .name = "change", .object = &object, .in_thread = change, .in_event = change};
static const struct force_operation operation_fill = {
    .name = "fill", .object = &object, .in_thread = fill, .in_event = fill};
static const struct force_operation operation_take = {
    .name = "take", .object = &object, .in_interrupt = FORCE_LEVELS_OF(take)};

const struct force_operation *const force_operations[] = {
    &operation_keep, &operation_use, &operation_change, &operation_fill, &operation_take};
