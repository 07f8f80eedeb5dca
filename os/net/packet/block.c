/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The pool, and counts of references: what all packets share. It is changed in functions that run
 * at the kernel level, one at a time. */
#include "net/packet/block.h"

#include <lichen/kernel.h>

struct packet_pool packet_pool;

static inline struct packet_block *at(packet_t block)
{
    return (struct packet_block *)(void *)(packet_blocks +
                                           (unsigned)(block - 1u) * packet_block_bytes);
}

struct packet_block *packet_block_of(packet_t block)
{
    return at(block);
}

static uint8_t *references_of(packet_t block)
{
    return &packet_references[block - 1u];
}

struct packet_block *packet_get(packet_t packet)
{
    assert((uint8_t)(packet - 1u) < packet_block_count);
    assert((uint8_t)(*references_of(packet) - 1u) < PACKET_REFERENCES_MAX);
    return at(packet);
}

struct packet_block *packet_get_sole(packet_t packet)
{
    struct packet_block *first = packet_get(packet);
    assert(*references_of(packet) == 1);
    return first;
}

static void count_refused(enum packet_purpose purpose)
{
    uint16_t *count = &packet_pool.refused[purpose];
    if (*count != UINT16_MAX) {
        ++*count;
    }
}

static packet_t take_one(void)
{
    struct packet_pool *pool = &packet_pool;
    packet_t block;
    if (pool->touched < packet_block_count) {
        block = ++pool->touched;
    } else {
        block = pool->first_free;
        pool->first_free = packet_block_of(block)->next;
    }
    *references_of(block) = PACKET_CONTINUES;
    return block;
}

static packet_t take_chain(unsigned count)
{
    packet_t first = take_one();
    struct packet_block *last = packet_block_of(first);
    while (--count > 0) {
        last->next = take_one();
        last = packet_block_of(last->next);
    }
    last->next = PACKET_NONE;
    return first;
}

static int take(void *count_, void *purpose_)
{
    unsigned count = (uintptr_t)count_;
    enum packet_purpose purpose = (enum packet_purpose)(uintptr_t)purpose_;
    struct packet_pool *pool = &packet_pool;
    unsigned used = pool->used + count;
    if (used + (purpose == PACKET_TO_RECEIVE ? 0 : PACKET_RESERVED_BLOCKS) > packet_block_count) {
        count_refused(purpose);
        return PACKET_NONE;
    }
    pool->used = (uint8_t)used;
    if (used > pool->most_used) {
        pool->most_used = (uint8_t)used;
    }
    return take_chain(count);
}

packet_t packet_blocks_take(unsigned count, enum packet_purpose purpose)
{
    return (packet_t)kernel_run_with(take, (void *)(uintptr_t)count, (void *)(uintptr_t)purpose);
}

/* They go behind those that are free. */
static void give(void *first_)
{
    packet_t first = (packet_t)(uintptr_t)first_, last, next = first;
    struct packet_pool *pool = &packet_pool;
    do {
        last = next;
        *references_of(last) = PACKET_FREE;
        pool->used--;
        next = packet_block_of(last)->next;
    } while (next != PACKET_NONE);
    if (pool->first_free == PACKET_NONE) {
        pool->first_free = first;
    } else {
        packet_block_of(pool->last_free)->next = first;
    }
    pool->last_free = last;
}

void packet_blocks_give(packet_t first)
{
    if (first != PACKET_NONE) {
        kernel_do(give, (void *)(uintptr_t)first);
    }
}

/* Another thread may have freed it since the caller checked. */
static void release(void *packet_)
{
    packet_t packet = (packet_t)(uintptr_t)packet_;
    (void)packet_get(packet);
    if (--*references_of(packet) == 0) {
        give(packet_);
    }
}

void packet_free(packet_t packet)
{
    (void)packet_get(packet);
    kernel_do(release, (void *)(uintptr_t)packet);
}

unsigned packet_blocks_for(unsigned bytes)
{
    unsigned count = 0;
    for (; bytes > block_room(); bytes -= block_room()) {
        count++;
    }
    return count + (bytes != 0);
}
