/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Misuse of packet buffers. Each kind ends the program; the next start checks the record. The pool
 * has a size of its own.
 */
#include <lichen/packet.h>
#include <lichen/panic.h>
#include <lichen/print.h>
#include <lichen/reset.h>

#include "test.h"

PACKET_POOL(7);
PACKET_CHAINS;

#define LENGTH 150u

/* A word that start-up does not touch counts the starts. */
static __attribute__((section(".noinit"))) unsigned start;

static packet_t packet, shared, freed;
static uint8_t bytes[LENGTH + 1];
static struct packet_cursor cursor;
static struct packet_piece piece;

static void free_twice(void)
{
    packet_free(freed);
}

static void free_nothing(void)
{
    packet_free(PACKET_NONE);
}

static void free_beyond_the_pool(void)
{
    packet_free(8);
}

static void free_inside(void)
{
    packet_free((packet_t)(packet + 1)); /* its second block */
}

static void refer_to_freed(void)
{
    packet_ref(freed);
}

static void refer_too_often(void)
{
    for (unsigned i = 0; i < PACKET_REFERENCES_MAX; i++) {
        packet_ref(packet);
    }
}

static void measure_freed(void)
{
    (void)packet_length(freed);
}

static void trim_front_too_much(void)
{
    packet_trim_front(packet, LENGTH + 1);
}

static void trim_back_too_much(void)
{
    packet_trim_back(packet, LENGTH + 1);
}

static void trim_shared(void)
{
    packet_trim_front(shared, 1);
}

static void prepend_to_shared(void)
{
    (void)!packet_prepend(shared, bytes, 1);
}

static void append_to_freed(void)
{
    (void)!packet_append(freed, bytes, 1);
}

static void write_beyond(void)
{
    packet_write(packet, 1, bytes, LENGTH);
}

static void read_beyond(void)
{
    packet_read(packet, LENGTH + 1, bytes, UINT16_MAX);
}

static void gather_beyond(void)
{
    (void)packet_gather(packet, LENGTH + 1, &piece, 1);
}

static void place_cursor_beyond(void)
{
    packet_cursor(&cursor, packet, LENGTH + 1);
}

static void split_beyond(void)
{
    (void)!packet_split(packet, LENGTH + 1, &freed);
}

static void join_with_itself(void)
{
    packet_join(packet, packet);
}

static void (*const flags[])(void) = {
    free_twice,          free_nothing,    free_beyond_the_pool, free_inside,        refer_to_freed,
    refer_too_often,     measure_freed,   trim_front_too_much,  trim_back_too_much, trim_shared,
    prepend_to_shared,   append_to_freed, write_beyond,         read_beyond,        gather_beyond,
    place_cursor_beyond, split_beyond,    join_with_itself};
#define FLAGS (sizeof(flags) / sizeof(flags[0]))

TEST(misuse_asserts)
{
    if (reset_cause() == RESET_POWER) {
        start = 0;
    } else {
        expect_equal(panic_last()->reason, PANIC_ASSERT);
    }
    if (start < FLAGS) {
        expect_equal(packet_alloc(&packet, TEXT("misuse"), 0, LENGTH), 0);
        expect_equal(packet_alloc(&shared, TEXT("misuse"), 0, 2), 0);
        expect_equal(packet_alloc(&freed, TEXT("misuse"), 0, 2), 0);
        packet_ref(shared);
        packet_free(freed);
        flags[start++]();
        expect(false);
    }
}

TEST(the_pool_is_the_programs_own)
{
    struct packet_statistics statistics;
    packet_statistics(&statistics);
    expect_equal(statistics.blocks, 7);
    expect_equal(statistics.free, 7);
}
