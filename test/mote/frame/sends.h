/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sends messages to everybody, one after the other, beside the tests. */
#ifndef TEST_MOTE_FRAME_SENDS_H
#define TEST_MOTE_FRAME_SENDS_H

#include <lichen/am.h>
#include <lichen/packet.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16);

static volatile unsigned sends_sent;
static volatile bool sends_on;

THREAD(sends, ARCH_FLASH_IS_APART ? 304 : 384, PRIORITY_HIGH)
{
    static const uint8_t payload[20] = {1};

    for (;;) {
        sleep_ms(2);
        if (sends_on && am_send(AM_ALL, 6, payload, sizeof(payload)) == 0) {
            sends_sent++;
        }
    }
}

static inline void sends_begin(void)
{
    expect_equal(link_open(0), 0);
    sends_on = true;
}

static inline void sends_end(void)
{
    sends_on = false;
}

static inline unsigned sends_count(void)
{
    return sends_sent;
}

#endif
