/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A ring of bytes between one writer and one reader, either of which may interrupt the other.
 *
 * Each index has one writer, and both count freely; their difference, modulo 256, is the number of
 * bytes in the ring. A byte is stored before the writer's index is raised, and taken before the
 * reader's index is, so neither side ever sees the other half done.
 */
#ifndef DRIVER_CONSOLE_RING_H
#define DRIVER_CONSOLE_RING_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RING_SIZE = 128, /* a power of two, at most 128: indices are one byte */
};

struct ring {
    uint8_t volatile in;  /* bytes ever put, modulo 256; the writer's */
    uint8_t volatile out; /* bytes ever taken, modulo 256; the reader's */
    uint8_t volatile byte[RING_SIZE];
};

static inline uint8_t ring_held(const struct ring *ring)
{
    return (uint8_t)(ring->in - ring->out);
}

static inline bool ring_put(struct ring *ring, uint8_t byte)
{
    uint8_t in = ring->in;

    if ((uint8_t)(in - ring->out) == RING_SIZE) {
        return false;
    }
    ring->byte[in % RING_SIZE] = byte;
    ring->in = (uint8_t)(in + 1);
    return true;
}

/* Puts a byte behind those in the ring, at an offset; ring_add makes such bytes part of it. */
static inline bool ring_put_at(struct ring *ring, uint8_t offset, uint8_t byte)
{
    uint8_t in = (uint8_t)(ring->in + offset);

    if ((unsigned)ring_held(ring) + offset >= RING_SIZE) {
        return false;
    }
    ring->byte[in % RING_SIZE] = byte;
    return true;
}

static inline void ring_add(struct ring *ring, uint8_t bytes)
{
    ring->in = (uint8_t)(ring->in + bytes);
}

static inline bool ring_take(struct ring *ring, uint8_t *byte)
{
    uint8_t out = ring->out;

    if (ring->in == out) {
        return false;
    }
    *byte = ring->byte[out % RING_SIZE];
    ring->out = (uint8_t)(out + 1);
    return true;
}

#endif
