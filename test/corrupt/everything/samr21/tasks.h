/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupts of this program. The same names for every chip. */
#ifndef TEST_CORRUPT_EVERYTHING_TASKS_H
#define TEST_CORRUPT_EVERYTHING_TASKS_H

#include <lichen/interrupt.h>
#include <lichen/rt.h>

#include "software_interrupt.h"

/* Stacks of threads that make a few calls, of those that make more, and of the first one. */
#define PART_STACK   256u
#define MORE_STACK   320u
#define ROUNDS_STACK 384u

#define STACKS_CHECKED_BY_RUNS _Static_assert(1, "")

/* The table of vectors is in RAM. */
#define URGENT_TASK(...) RT_TASK_IN_RAM(urgent, TCC0, __VA_ARGS__)
#define LESSER_TASK(...) RT_TASK(lesser, TCC1, __VA_ARGS__)
#define DRIVER_HANDLER() INTERRUPT(TCC2)
#define urgent_begins()  ((void)0)
#define driver_begins()  ((void)0)
#define tasks_enable()   software_interrupts_enable()
#define tasks_request()  software_interrupts(7)

#endif
