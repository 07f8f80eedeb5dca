/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Rings of bytes of the size that the program says, between one writer and one reader, as
 * driver/console/ring.h describes them. */
#ifndef DRIVER_UART_RING_H
#define DRIVER_UART_RING_H

#include <stdbool.h>

#include <lichen/uart.h>

static inline uint8_t uart_ring_held(const struct uart_ring *ring)
{
    return (uint8_t)(ring->in - ring->out);
}

static inline bool uart_ring_put(struct uart_ring *ring, uint8_t byte)
{
    uint8_t in = ring->in;

    if ((uint8_t)(in - ring->out) > ring->mask) {
        return false;
    }
    ring->byte[in & ring->mask] = byte;
    ring->in = (uint8_t)(in + 1);
    return true;
}

static inline bool uart_ring_take(struct uart_ring *ring, uint8_t *byte)
{
    uint8_t out = ring->out;

    if (ring->in == out) {
        return false;
    }
    *byte = ring->byte[out & ring->mask];
    ring->out = (uint8_t)(out + 1);
    return true;
}

#endif
