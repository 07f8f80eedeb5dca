/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two motes that talk to each other (programs.cmake). */
#ifndef BENCH_NETWORK_TALK_H
#define BENCH_NETWORK_TALK_H

#include <lichen/assert.h>
#include <lichen/link.h>
#include <lichen/print.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

/* Their addresses. */
enum { OWN = TALK_MOTE, PEER = 3 - TALK_MOTE };

/* Bytes of a packet; header and checksum add 11. */
enum { SHORT_BYTES = 20, LONG_BYTES = 100, LONGEST_BYTES = 116 };

/* How often a frame is sent, where that matters; and when all motes have started. */
enum { PERIOD_MS = 50, START_MS = 200 };

/* Stack of a thread that sends or receives. */
#define TALK_STACK (ARCH_FLASH_IS_APART ? 304 : 384)

static inline void open_link_with(uint8_t flags)
{
    const struct link_settings settings = {
        .flags = flags, .pan = LINK_PAN_USUAL, .short_address = OWN, .rate = TALK_RATE};
    int error = link_open(&settings);

    assert(error == 0);
}

static inline void open_link(void)
{
    open_link_with(0);
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
