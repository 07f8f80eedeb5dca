/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two motes that talk to each other: the one that is measured, and another one. */
#ifndef BENCH_NETWORK_TALK_H
#define BENCH_NETWORK_TALK_H

#include <lichen/assert.h>
#include <lichen/link.h>
#include <lichen/print.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

/* Their addresses. */
enum { MEASURED = 1, OTHER = 2 };

/* A frame of 111 bytes with its header and its checksum. */
enum { LONG_BYTES = 100 };

/* Stack of a thread that sends or receives. */
#define TALK_STACK (ARCH_FLASH_IS_APART ? 304 : 384)

static inline void open_as(uint16_t own)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = own};
    int error = link_open(&settings);

    assert(error == 0);
}

/* A packet of so many bytes, whatever they are. */
static inline packet_t fresh_packet(uint16_t bytes)
{
    packet_t packet;
    int error = packet_alloc(&packet, TEXT("bench"), LINK_HEADROOM, bytes);

    assert(error == 0);
    return packet;
}

#endif
