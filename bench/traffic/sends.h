/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread sends messages, one after the other, and tells the host of each. */
#ifndef BENCH_TRAFFIC_SENDS_H
#define BENCH_TRAFFIC_SENDS_H

#include "traffic.h"

volatile struct note packet_begun, packet_ended;

static inline _Noreturn void send_for_ever(uint16_t own, uint16_t to)
{
    static uint8_t bytes[BYTES];

    sleep_ms(START_MS);
    for (uint16_t number = 0;; number++) {
        pause(TRAFFIC_PERIOD_US);
        fill(bytes, number);
        write_note(&packet_begun, own, number);
        BENCH_MARK(packet_begins);
        int error = am_send(to, TYPE, bytes, sizeof(bytes));
        write_note(&packet_ended, own, number);
        packet_ended.error = (uint16_t)error;
        BENCH_MARK(packet_ends);
    }
}

#endif
