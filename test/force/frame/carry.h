/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The events that act for the stretch, and for interrupts that may not perform their operation. In
 * programs with a kernel level. */
#ifndef TEST_FORCE_FRAME_CARRY_H
#define TEST_FORCE_FRAME_CARRY_H

#include <stdbool.h>

#include "force.h"

EVENT_EXTERN(force_stretch_event);
#define FORCE_CARRY_EVENT(level, name) EVENT_EXTERN(force_carry_event_##level);
SOFTWARE_EACH_LEVEL(FORCE_CARRY_EVENT, )

/* Makes an event perform the stretch's operation. 0 in programs without events, as are the next
 * two.
 * context   thread, coop
 */
__attribute__((weak)) void force_stretch_in_event(unsigned actor);

/* Makes an event perform the operation of an interrupt.
 * context   interrupt of that level
 */
__attribute__((weak)) void force_carry(unsigned level);

/* Checks that these events are in no ring, and that no post is pending. */
__attribute__((weak)) void force_check_carriers(void);

/* What is to act for an actor, an event or a thread: programs may also post them without a reason.
 * A thread must not act for an event that is about to run: after an interrupt AVR executes one
 * instruction of the thread before the event, maybe the one that reads this. */
enum force_goes { NOBODY_GOES = 0, EVENT_GOES, THREAD_GOES };
extern volatile uint8_t force_goes[FORCE_ACTORS];

#endif
