/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The alarm of cooperative threads as one of the kernel's deadlines. Every program that has
 * deadlines links it; the linker drops it again if no cooperative thread sleeps. */
#include "kernel/coop/coop.h"

#include <lichen/kernel.h>
#include "kernel/time/time.h"

/* Linked if a cooperative thread sleeps; otherwise no alarm is set here. */
#pragma weak coop_alarm_fired

/* kernel/time/deadline.c names it to link this file. */
extern const uint8_t coop_alarm_among_deadlines;
const uint8_t coop_alarm_among_deadlines = 0;

static struct deadline alarm;

void coop_deadline_call(arch_call_fn *fn, void *argument)
{
    (void)kernel_run(fn, argument);
}

void coop_deadline_read(uint64_t *now)
{
    *now = deadline_now();
}

static void expired(struct deadline *passed, const uint64_t *reached)
{
    (void)passed;
    coop_alarm_fired(reached);
}

void coop_deadline_set(const uint64_t *tick)
{
    if (alarm.expire != 0) {
        deadline_remove(&alarm);
    }
    arch_u64_copy(&alarm.tick, tick);
    deadline_insert(&alarm, expired);
}
