/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CntToRfm and CntToLedsAndRfm of TinyOS 1 and of PAVENET OS: a counter that is sent to everybody,
 * four times a second.
 *
 *   count_begins .. count_ends   from the thread's wake-up to the end of sending
 */
#ifndef BENCH_NETWORK_COUNT_H
#define BENCH_NETWORK_COUNT_H

#include <lichen/am.h>
#include <lichen/led.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

enum { INTEGER = 4, PERIOD_US = 250000 };

/* Messages are as long as in TinyOS. */
LINK_FRAME(AM_PAYLOAD_USUAL);

/* One packet is sent at a time; the link keeps two for what arrives. */
PACKET_POOL(3);

/* A number and its sender. */
static inline void tell(uint16_t count, uint16_t own)
{
    const uint8_t payload[] = {(uint8_t)(count >> 8), (uint8_t)count, (uint8_t)(own >> 8),
                               (uint8_t)own};

    (void)!am_send(AM_ALL, INTEGER, payload, sizeof(payload));
}

static void show(uint16_t count);

THREAD(counter, ARCH_FLASH_IS_APART ? 304 : 384, PRIORITY_APP)
{
    struct link_address own;
    uint64_t due = 0;

    if (link_open(0) != 0) {
        return;
    }
    link_own(&own);
    for (uint16_t count = 0;; count++) {
        due += PERIOD_US;
        sleep_until_us(due);
        BENCH_MARK(count_begins);
        show(count);
        tell(count, own.short_address);
        BENCH_MARK(count_ends);
    }
}

#endif
