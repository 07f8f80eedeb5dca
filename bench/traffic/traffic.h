/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Networks in which the host watches each packet (programs.cmake): a program says when it begins to
 * send one, how that has ended, and when one has come. */
#ifndef BENCH_TRAFFIC_H
#define BENCH_TRAFFIC_H

#include <lichen/am.h>
#include <lichen/assert.h>
#include <lichen/random.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

enum {
    CENTER = 1, /* address of the mote that others send to */
    TYPE = 9,
    BYTES = 20, /* of a message, which begins with its number */
    START_MS = 400,
};

#define TRAFFIC_STACK (ARCH_FLASH_IS_APART ? 304 : 384)

/* What the host reads at a mark. One of each: a mark is reached at one level only. */
struct note {
    uint16_t address; /* of the sender */
    uint16_t number;
    uint16_t error; /* of what has ended */
};
extern volatile struct note packet_begun, packet_ended, packet_come;

static inline void write_note(volatile struct note *note, uint16_t address, uint16_t number)
{
    note->address = address;
    note->number = number;
}

/* Opens the link; returns this mote's address. */
static inline uint16_t open_link(uint16_t address, uint8_t flags)
{
    const struct link_settings settings = {
        .pan = LINK_PAN_USUAL, .short_address = address, .flags = flags};
    struct link_address own;
    int error = link_open(&settings);

    assert(error == 0);
    link_own(&own);
    return own.short_address;
}

static inline void fill(uint8_t *bytes, uint16_t number)
{
    bytes[0] = (uint8_t)(number >> 8);
    bytes[1] = (uint8_t)number;
}

static inline uint16_t number_of(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

/* Between two packets: `period_us` in the mean, from none to twice as long. */
static inline void pause(uint32_t period_us)
{
    if (period_us > 0) {
        sleep_us(random_below(2 * period_us));
    }
}

#endif
