/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the files of this program share: threads that compute side by side, and the lengths of the
 * slices that they get. */
#ifndef TEST_MOTE_SINGLE_SLICE_SLICES_H
#define TEST_MOTE_SINGLE_SLICE_SLICES_H

#include <lichen/mutex.h>
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "fine_clock.h"
#include "test.h"

#define EQUAL    (PRIORITY_APP - 1)
#define RIVAL    (PRIORITY_APP + 1)
#define SLICE_US UINT32_C(5000)
#define SLACK_US                                                                                   \
    (400u + 200u * KERNEL_SHARE) /* for readings of the clock, and for more urgent threads */
#define GAP_US 1000u

/* watch.c */
#define SLICES 8u

extern volatile unsigned slices; /* that were measured */
extern volatile bool computing;

void slice_lasted(uint32_t us);
void compute_for(uint32_t us);

/* Computes until the watcher has run. Returns for how long, by its own readings of the clock,
 * without those interrupted by the slice before and the one after. */
uint32_t compute_to_the_end_of_the_slice(void);

/* What the watched thread does in its slices; what the watcher does with the slices that it sees.
 */
extern void (*volatile act)(void);
extern void (*volatile seen)(uint32_t us);

extern struct thread watcher;
extern struct thread watched;
extern struct semaphore go_watcher, go_watched;
extern struct semaphore ended; /* posted by each thread that has computed to the end */

void nothing(void);
void nobody_asks(uint32_t us);
void expect_slices(void);
void begin_to_compute(void (*acts)(void), void (*sees)(uint32_t us));
void end_computing(void);
void compute_ms(uint32_t ms, void (*acts)(void), void (*sees)(uint32_t us));
void compute(void (*acts)(void), void (*sees)(uint32_t us));

/* urgent.c: what the more urgent thread does when it is notified. */
extern struct notify go_urgent;
extern void (*volatile urge)(void);

/* inherit.c: `wants` and `rival` have the priority RIVAL; `owner` is an equal of the watcher. */
extern struct thread wants;
extern struct mutex shared;
extern struct semaphore go_wants, go_rival, go_owner;
extern volatile fine_t begun_at;
extern volatile bool rival_has_run, given_back;
extern void (*volatile own)(void);
void own_beside_watcher(void (*owns)(void));

#endif
