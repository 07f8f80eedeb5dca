/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A usual program of a link of a radio of bytes, with receivers, a child for which a message waits,
 * and a parent that is asked, which receives hostile frames. At the end of each round it prints
 *
 *     round 3: 420 delivered, 190 counted, 40 true, 0 frames missing
 *
 * the hostile frames that came into a queue, and those that are counted by a reason.
 */
#include <lichen/am.h>
#include <lichen/kernel.h>
#include <lichen/print.h>
#include <lichen/thread.h>

#include <string.h>

#include "../hostile.h"
#include "net/byte_link/byte_link.h"

enum {
    POLL_MS = 5000,
    SETTLE_MS = 1500, /* until what is on its way has ended */
    CHILD_BYTES = 10,
    FRAMES = 6,
};

LINK_FRAMES(FRAMES, 118);
PACKET_POOL(3);
LINK_NEIGHBOURS(2);

/* -------- what comes */

AM_RECEIVER(trues, AIR_TRUE, 2);
AM_RECEIVER(rounds, AIR_ROUND, 1);
AM_RECEIVER_ALL(messages, 2);
EVENT_EXTERN(others_came);
LINK_RECEIVER_EVENT(others, 2, others_came);

EVENT(others_came)
{
    struct link_info info;
    packet_t packet;

    while (link_try_receive(&others, &info, &packet) == 0) {
        packet_free(packet);
    }
}

/* From who sends true messages. */
static bool is_true(const struct am_message *message)
{
    return message->length == 1 && message->source == AIR_TALKER;
}

static unsigned true_ones, true_copies;

/* Without numbers of frames, one may come twice. */
static void take_trues(void)
{
    static uint8_t last;
    struct am_message message;
    uint8_t value;

    while (am_try_receive(&trues, &message, &value, 1) == 0) {
        if (is_true(&message)) {
            true_copies++;
            true_ones += value != last;
            last = value;
        }
    }
}

static void drop(struct link_receiver *receiver)
{
    struct am_message message;
    uint8_t byte;

    while (am_try_receive(receiver, &message, &byte, 1) == 0) {
        true_copies += is_true(&message);
    }
}

/* -------- accounts */

static struct {
    uint32_t delivered, counted;
} sums;

static bool is_of_reception(unsigned reason)
{
    return reason < LOST_NO_PACKET ||
           (reason >= LOST_BY_LINK && reason <= LOST_BY_LINK + CC1000_OVERFLOWED);
}

/* They would stop at their largest value. */
static int add(void *nothing)
{
    (void)nothing;
    for (unsigned reason = 1; reason < BYTE_LINK_REASONS; reason++) {
        if (is_of_reception(reason)) {
            sums.counted += byte_link_losses[reason];
        }
        byte_link_losses[reason] = 0;
    }
    sums.delivered += byte_link_counters.received;
    byte_link_counters.received = 0;
    return 0;
}

static unsigned frames_missing(void)
{
    unsigned used = 0;

    for (unsigned i = 0; i < FRAMES; i++) {
        used += link_frame_is_used[i];
    }
    return used - (byte_link_state.receiving != 0);
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

static void poll(uint32_t period_ms)
{
    struct link_address parent = link_short(AIR_PARENT);

    (void)!link_poll(&parent, period_ms);
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
    print("round %u: %lu delivered, %lu counted, %u true, %u frames missing\n", number,
          (unsigned long)sums.delivered - true_copies, (unsigned long)sums.counted, true_ones,
          frames_missing());
    memset(&sums, 0, sizeof(sums));
    true_ones = true_copies = 0;
    poll(POLL_MS);
}

/* -------- */

static int start(void)
{
    const struct air_announcement announcement = {.pan = LINK_PAN_USUAL};
    const struct link_settings settings = {.pan = LINK_PAN_USUAL, .short_address = AIR_ADDRESS};
    struct link_address child = link_short(AIR_CHILD);
    int error = link_open(&settings);

    sleep_ms(300);
    error =
        error == 0 ? am_send(AM_ALL, AIR_ANNOUNCEMENT, &announcement, sizeof(announcement)) : error;
    return error == 0 ? link_child(&child, true) : error;
}

THREAD(receive, 392, PRIORITY_APP)
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
        if (am_receive(&rounds, &message, &number, 1, time_now_us() + 500000) == 0 &&
            is_true(&message)) {
            true_copies++;
            end_round(number);
        }
    }
}
