/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The program whose woven pairs are tested: five events, of which some are woven, and interrupts
 * that post them.
 *
 *   ab  = a and b,  abc = ab and c,  abcd = abc and d       a chain
 *   bx  = b and x                                           a second pair of b
 */
#ifndef TEST_MOTE_WOVEN_PAIRS_H
#define TEST_MOTE_WOVEN_PAIRS_H

#include <stdbool.h>

#include <lichen/event.h>
#include <lichen/interrupt.h>

EVENT_EXTERN(a);
EVENT_EXTERN(b);
EVENT_EXTERN(c);
EVENT_EXTERN(d);
EVENT_EXTERN(x);
EVENT_EXTERN(plain);

/* What ran since prepare(): a lower-case letter for an event that ran alone, "(ab)" for a woven
 * pair. */
extern char order[48];

/* Forgets what ran and what the interrupts post. */
void prepare(void);

/* Makes the interrupt of a level above the kernel's post the events whose letters are in `letters`,
 * in that order; p is `plain`. */
void posts_of(unsigned level, const char *letters);

/* Posts the events whose letters are in `letters` from one event at the kernel level. */
void post_in_event(const char *letters);

/* What the handler of ab does besides recording its run: it posts these, from its own level or by
 * an interrupt of this level. */
#define INSIDE_LEVEL 1
extern const char *inside_ab;
extern bool inside_by_interrupt;

/* Whether what ran is `expected`. */
bool ran(const char *expected);

#endif
