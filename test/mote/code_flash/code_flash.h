/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The real-time task that runs while flash is written: every millisecond, of priority 0. */
#ifndef TEST_MOTE_CODE_FLASH_H
#define TEST_MOTE_CODE_FLASH_H

#include <stdint.h>

#include <lichen/semaphore.h>

/* Posted by each run. */
extern struct semaphore_rt beats;

/* Runs; and the most counts of the task's timer from its time to its first instructions. */
extern volatile uint16_t beat_runs, beat_latest;

void beat_start(void);
void beat_stop(void);

#endif
