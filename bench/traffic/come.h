/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event takes each message and tells the host of it. */
#ifndef BENCH_TRAFFIC_COME_H
#define BENCH_TRAFFIC_COME_H

#include "traffic.h"

volatile struct note packet_come;

EVENT_EXTERN(came);
AM_RECEIVER_EVENT(messages, TYPE, 4, came);

EVENT(came)
{
    struct am_message message;
    uint8_t bytes[2];

    while (am_try_receive(&messages, &message, bytes, sizeof(bytes)) == 0) {
        write_note(&packet_come, message.source, number_of(bytes));
        BENCH_MARK(packet_comes);
    }
}

#endif
