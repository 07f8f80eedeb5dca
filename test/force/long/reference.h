/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A clock independent of the kernel, which counts the same number in a given time as its tick, and
 * actors that take long. The state in which the run began says how long. Each chip has its own
 * clock, and states.
 */
#ifndef TEST_FORCE_LONG_REFERENCE_H
#define TEST_FORCE_LONG_REFERENCE_H

#include <stdint.h>

#include "reference_chip.h"

/* Starts it. */
void reference_start(void);

/* Before each run. */
void reference_prepare(void);

/* Ticks since some moment before the run. */
uint64_t reference_now(void);

/* Keeps the processor for as long as the state says, `most` ticks at most. Called once per run. */
void reference_hold(uint64_t most);

#define HOLD_ANY UINT64_MAX

/* When the last actor that takes long was through, in a thread and elsewhere; 0 if there was none.
 */
extern volatile uint64_t free_of_threads;
extern volatile uint64_t free_of_handlers;

/* When an interrupt handler that takes long began; 0 if none has. */
extern volatile uint64_t held_from;

#endif
