/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Changes by a thread and by an event at each cycle of them. */
#ifndef TEST_MOTE_REGISTERS_H
#define TEST_MOTE_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

/* Runs `by_thread` with an event at each of its `cycles` cycles, and lets `check` examine both
 * changes. */
void sweep(void (*by_thread)(bool odd), void (*by_event)(bool odd),
           void (*check)(bool threads, bool events), uint16_t cycles);

#endif
