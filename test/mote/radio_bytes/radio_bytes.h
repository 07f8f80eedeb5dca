/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task of priority 0 that notes when it runs, and another one that holds others up. */
#ifndef TEST_MOTE_RADIO_BYTES_H
#define TEST_MOTE_RADIO_BYTES_H

#include <stdint.h>

/* Cycles between the earliest and the latest run, after their time, at most. */
#define JITTER_CYCLES 16

struct jitter {
    uint16_t runs;
    uint16_t earliest;
    uint16_t latest;
};

/* A task of priority 0 that takes many cycles each millisecond. */
void hold_begin(void);
void hold_end(void);

void jitter_begin(void);
struct jitter jitter_end(void);

#endif
