/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A usual program of a link, with receivers, a child for which a packet waits, and a parent that is
 * asked, which receives hostile frames. At the end of each round it prints
 *
 *     round 3: 640 accepted, 610 accounted, 40 true, 0 blocks missing
 *
 * the frames that the radio has handed on, and those that were delivered or are counted by a
 * reason: the others were requests and acknowledgments. Then it begins anew.
 */
#include <lichen/am.h>
#include <lichen/kernel.h>
#include <lichen/print.h>
#include <lichen/thread.h>

#include <string.h>

#include "../hostile.h"
#include "driver/radio/part.h"
#include "net/ieee802154/frame.h"
#include "net/link/link.h"

enum {
    POLL_MS = 5000,
    SETTLE_MS = 1500, /* until what is on its way has ended */
    CHILD_BYTES = 10,
    OF_SECURITY = LOST_BY_LINK + FRAME_REFUSALS - 1,
};

#if SECURES
LINK_SECURED(1, 3);
#endif
PACKET_POOL(ARCH_FLASH_IS_APART ? SECURES ? 3 : 5 : 16);
LINK_NEIGHBOURS(2);

/* -------- what comes */

AM_RECEIVER(trues, AIR_TRUE, 2);
AM_RECEIVER(rounds, AIR_ROUND, 1);
EVENT_EXTERN(others_came);
AM_RECEIVER_ALL(messages, 2);
LINK_ALL_HEADERS;
LINK_RECEIVER_EVENT(others, 2, others_came);

static void drop(struct link_receiver *receiver)
{
    struct link_info info;
    packet_t packet;

    while (link_try_receive(receiver, &info, &packet) == 0) {
        packet_free(packet);
    }
}

EVENT(others_came)
{
    drop(&others);
}

/* From who sends true packets. */
static bool is_true(const struct am_message *message)
{
    return message->length == 1 && message->source == (SECURES ? LINK_EXTENDED : AIR_TALKER);
}

static unsigned true_ones;

static void take_trues(void)
{
    static uint8_t last;
    struct am_message message;
    uint8_t value;

    while (am_try_receive(&trues, &message, &value, 1) == 0) {
        if (is_true(&message)) {
            true_ones += value != last;
            last = value;
        }
    }
}

/* -------- accounts */

static struct {
    uint32_t accepted, accounted;
} sums;

/* Reasons for which frames that have come are lost. */
static bool is_of_reception(unsigned reason)
{
    return reason < LOST_NO_BLOCK ||
           (reason >= LOST_BY_LINK && reason < OF_SECURITY + LINK_COUNTER_NONE - 1u);
}

static unsigned reasons(void)
{
    return LOST_BY_LINK + FRAME_REFUSALS + LINK_REFUSALS - 2u;
}

static int add(void *nothing)
{
    (void)nothing;
    for (unsigned reason = 1; reason < reasons(); reason++) {
        if (is_of_reception(reason)) {
            sums.accounted += *link_lost_count((uint8_t)reason);
        }
        *link_lost_count((uint8_t)reason) = 0;
    }
    sums.accounted += link_counters.received;
    link_counters.received = 0;
    sums.accepted += radio_state.counters.received;
    radio_state.counters.received = 0;
    return 0;
}

/* -------- a child, and a parent */

static struct link_transfer waiting;

static void keep_waiting(void)
{
    static const uint8_t bytes[CHILD_BYTES];

    if (!waiting.active) {
        (void)!am_begin(&waiting, AIR_CHILD, AIR_CHANGED, bytes, sizeof(bytes));
    }
}

/* A secured link leaves no room for it on a MICAz. */
static void poll(uint32_t period_ms)
{
#if SECURES
    (void)period_ms;
#else
    struct link_address parent = link_short(AIR_PARENT);

    (void)!link_poll(&parent, period_ms);
#endif
}

static unsigned blocks_missing(void)
{
    struct packet_statistics statistics;

    packet_statistics(&statistics);
    return (unsigned)(statistics.blocks - statistics.free);
}

static void end_round(uint8_t number)
{
    poll(0);
    (void)link_cancel(&waiting);
    sleep_ms(SETTLE_MS);
    take_trues();
    drop(&messages);
    drop(&rounds); /* it may come twice */
    (void)kernel_run(add, 0);
    print("round %u: %lu accepted, %lu accounted, %u true, %u blocks missing\n", number,
          (unsigned long)sums.accepted, (unsigned long)sums.accounted, true_ones, blocks_missing());
    memset(&sums, 0, sizeof(sums));
    true_ones = 0;
    poll(POLL_MS);
}

/* -------- */

static int open(uint8_t level)
{
    const struct link_settings settings = {.pan = COORDINATES ? UINT16_MAX : LINK_PAN_USUAL,
                                           .short_address = AIR_ADDRESS,
                                           .flags = COORDINATES ? LINK_COORDINATOR : 0,
                                           .level = level,
                                           .key = {.mode = LINK_KEY_INDEX, .index = 1}};

    return link_open(&settings);
}

static int announce(void)
{
    struct air_announcement announcement = {.pan = link_state.settings.pan, .is_secured = SECURES};

    for (uint8_t i = 0; i < LINK_EXTENDED_BYTES; i++) {
        announcement.extended[i] = link_state.extended[LINK_EXTENDED_BYTES - 1 - i];
    }
    return am_send(AM_ALL, AIR_ANNOUNCEMENT, &announcement, sizeof(announcement));
}

static int start(void)
{
    struct link_address child = link_short(AIR_CHILD);
    int error = open(LINK_LEVEL_NONE);

    sleep_ms(300);
    error = error == 0 ? announce() : error;
    error = error == 0 ? link_child(&child, true) : error;
#if SECURES
    const struct link_key_name name = {.mode = LINK_KEY_INDEX, .index = 1};
    error = error == 0 ? link_key_set(&link_security, &name, air_key, LINK_LEVELS_USUAL) : error;
    error = error == 0 ? open(LINK_LEVEL_ENC_MIC_32) : error;
#endif
    return error;
}

THREAD(receive, ARCH_FLASH_IS_APART ? 392 : 640, PRIORITY_APP)
{
    struct am_message message;
    uint8_t number;
    int error = start();

    if (error != 0) {
        print("failed to start: error %d\n", error);
    }
    poll(POLL_MS);
    for (;;) {
        keep_waiting();
        take_trues();
        drop(&messages);
        if (am_receive(&rounds, &message, &number, 1, time_now_us() + 5000) == 0 &&
            is_true(&message)) {
            end_round(number);
        }
    }
}
