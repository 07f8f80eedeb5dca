/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A secured link with its usual stacks, over the board's radio, in a program that has two threads
 * of one priority: these need more of all stacks.
 */
#include <lichen/am.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

enum { TYPE = 6 };

LINK_SECURED(1, 1);
PACKET_POOL(3);
LINK_NEIGHBOURS(1);

static const uint8_t key[LINK_KEY_BYTES] = {1, 2, 3, 4};

THREAD(beside, ARCH_FLASH_IS_APART ? 178 : 256, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(5);
    }
}

TEST(secured_messages_are_sent)
{
    const struct link_settings settings = {.pan = LINK_PAN_USUAL,
                                           .short_address = LINK_ALL,
                                           .level = LINK_LEVEL_ENC_MIC_32,
                                           .key = {.mode = LINK_KEY_INDEX, .index = 1}};
    uint8_t payload[8] = {0};

    expect_equal(link_key_set(&link_security, &settings.key, key, LINK_LEVELS_USUAL), 0);
    expect_equal(link_open(&settings), 0);
    for (unsigned i = 0; i < 3; i++) {
        expect_equal(am_send(AM_ALL, TYPE, payload, sizeof(payload)), 0);
    }
}

/* The board's storage is written by the thread that sends. */
TEST(counters_are_reserved_before_they_are_used_up)
{
    uint32_t limit = link_security_counter.limit;
    uint8_t payload[8] = {0};

    link_security_counter.next = limit - COUNTER_BLOCK / 4;
    for (unsigned i = 0; i < 70; i++) {
        expect_equal(am_send(AM_ALL, TYPE, payload, sizeof(payload)), 0);
    }
    expect_equal(link_security_counter.limit, limit + COUNTER_BLOCK);
}
