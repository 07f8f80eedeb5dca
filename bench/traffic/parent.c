/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Answers each reading with a packet for the child that has sent it. A child is one from which a
 * reading has come, so a parent that has restarted knows its children as soon as they send. */
#include "traffic.h"

enum { CHILDREN = 4, LOOK_MS = 5 };

PACKET_POOL(ARCH_FLASH_IS_APART ? 6 : 16);
LINK_NEIGHBOURS(CHILDREN);

volatile struct note packet_begun, packet_ended, packet_come;

AM_RECEIVER(readings, TYPE, 4);

static struct {
    struct link_transfer transfer;
    uint16_t number;
    bool is_begun;
} answers[CHILDREN];
static uint16_t number;

/* A child has one answer at a time: another reading meanwhile gets none. */
static void answer(uint16_t to)
{
    struct link_address child = link_short(to);
    uint8_t bytes[BYTES] = {0};

    if (link_child(&child, true) != 0) {
        return;
    }
    for (uint8_t i = 0; i < CHILDREN; i++) {
        if (!answers[i].is_begun) {
            answers[i].number = number++;
            fill(bytes, answers[i].number);
            write_note(&packet_begun, CENTER, answers[i].number);
            BENCH_MARK(packet_begins);
            answers[i].is_begun =
                am_begin(&answers[i].transfer, to, TYPE, bytes, sizeof(bytes)) == 0;
            return;
        }
    }
}

static void tell_ends(void)
{
    for (uint8_t i = 0; i < CHILDREN; i++) {
        if (answers[i].is_begun && !answers[i].transfer.active) {
            answers[i].is_begun = false;
            write_note(&packet_ended, CENTER, answers[i].number);
            packet_ended.error = answers[i].transfer.result;
            BENCH_MARK(packet_ends);
        }
    }
}

THREAD(parent, TRAFFIC_STACK + 64, PRIORITY_APP)
{
    struct am_message message;
    uint8_t bytes[2];

    (void)open_link(CENTER, 0);
    number = (uint16_t)random_u32(); /* not one of before a restart */
    for (;;) {
        uint64_t deadline = time_now_us() + LOOK_MS * TIME_US_PER_MS;
        if (am_receive(&readings, &message, bytes, sizeof(bytes), deadline) == 0) {
            write_note(&packet_come, message.source, number_of(bytes));
            BENCH_MARK(packet_comes);
            answer(message.source);
        }
        tell_ends();
    }
}
