/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Deadlines, one alarm, and the 64-bit tick.
 *
 * When an alarm fires, a tick is known that has been reached, without asking the slow clock, whose
 * answer takes longer than most wake-ups. What is due by then expires. If more has become due
 * meanwhile, the next alarm, which is set for the past then, fires at once.
 */
#include "kernel/time/deadline.h"

#include <lichen/kernel.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "kernel/start.h"

NEEDS(ticks_start);
NEEDS(coop_alarm_among_deadlines);

/* The furthest alarm: a quarter of the counter's range, 9.1 hours. */
#define ALARM_SPAN (UINT32_C(1) << 30)

/* No alarm is served later than this after its tick, 1 s: events do not run that long. */
#define ALARM_LATENESS CHIP_TICK_HZ

static struct deadline *first;               /* the list, earliest first */
static struct deadline *unread;              /* whose length counts from a reading under way */
static uint64_t alarm_tick = DEADLINE_NEVER; /* what the chip's alarm is set to, or none */
static uint64_t base_tick;                   /* a moment of the past that is less than a wrap ago */

/* Ticks that are left when some more have passed than is known. The upper half of 64 bits counts
 * for nothing: there is no less left than what the lower half says. */
static uint32_t less(uint32_t left, uint32_t passed)
{
    return left > passed ? left - passed : 0;
}

/* The chip's alarm reaches half a wrap to either side: what is further ahead is approached by
 * alarms in between, what is further back is as good as the last moment that is known.
 * left      so many ticks at least are left until then */
static void alarm_set_for(uint64_t tick, uint32_t left)
{
    uint64_t furthest = base_tick + ALARM_SPAN;
    if (tick > furthest) {
        tick = furthest;
        left = 0;
    } else if (tick < base_tick) {
        tick = base_tick;
    }
    alarm_tick = tick;
    chip_alarm_set((uint32_t)tick, left);
}

void deadline_guard(void)
{
    if (alarm_tick == DEADLINE_NEVER) {
        alarm_set_for(base_tick + ALARM_SPAN, ALARM_SPAN / 2);
    }
}

/* The whole count of a tick that is not before `base`, and less than a wrap after it. */
static uint64_t extended(uint64_t base, uint32_t tick)
{
    return base + (uint32_t)(tick - (uint32_t)base);
}

static int request(void *argument)
{
    uint64_t *base = argument;
    *base = base_tick;
    chip_ticks_request();
    return 0;
}

static int take(void *argument)
{
    uint64_t *now = argument;
    *now = extended(*now, chip_ticks_take());
    return 0;
}

/* A thread waits for the reading as a thread, so that events and more urgent threads run. An alarm
 * may fire meanwhile, after the reading: the reading counts from what was known when it was asked
 * for. */
uint64_t deadline_now(void)
{
    uint64_t now;
    while (chip_ticks_pending()) {
    }
    (void)kernel_run(request, &now);
    while (chip_ticks_pending()) {
    }
    (void)kernel_run(take, &now);
    return now;
}

static void insert(struct deadline *deadline, uint32_t left)
{
    struct deadline **link = &first;
    while (*link != 0 && (*link)->tick <= deadline->tick) {
        link = &(*link)->next;
    }
    deadline->next = *link;
    *link = deadline;
    if (deadline->tick < alarm_tick) {
        alarm_set_for(deadline->tick, left);
    }
}

void deadline_insert(struct deadline *deadline, deadline_fn *expire)
{
    deadline->expire = expire;
    insert(deadline, 0);
}

/* One reading serves all that come while it is under way: it may be older than a later one of them,
 * but not by more than a reading takes. */
void deadline_insert_after(struct deadline *deadline, deadline_fn *expire)
{
    deadline->expire = expire;
    if (unread == 0) {
        chip_ticks_await();
    } else {
        deadline->tick += CHIP_READING_TICKS;
    }
    deadline->next = unread;
    unread = deadline;
}

/* The tick that is running counts as passed: it may be nearly over. An alarm may have fired since
 * the reading, hence a difference that may be negative. */
void kernel_ticks(uint32_t read)
{
    uint64_t next = base_tick + (uint64_t)(int32_t)(read - (uint32_t)base_tick) + 1;
    while (unread != 0) {
        struct deadline *deadline = unread;
        unread = deadline->next;
        uint32_t left = less((uint32_t)deadline->tick, CHIP_READING_TICKS);
        deadline->tick += next;
        insert(deadline, left);
    }
}

/* It is in one of the two lists. */
void deadline_remove(struct deadline *deadline)
{
    struct deadline **link = &first;
    while (*link != deadline) {
        link = *link != 0 ? &(*link)->next : &unread;
    }
    *link = deadline->next;
    deadline->expire = 0;
}

static void expire_until(uint64_t tick)
{
    while (first != 0 && first->tick <= tick) {
        struct deadline *due = first;
        deadline_fn *expire = due->expire;
        first = due->next;
        due->expire = 0;
        expire(due);
    }
}

/* While deadlines expire, those that they insert find the alarm of the past, which is earlier: it
 * is set once, for what is first in the end. */
void kernel_alarm(uint32_t reached)
{
    uint64_t base = extended(base_tick, reached);
    base_tick = base;
    expire_until(base);
    alarm_tick = DEADLINE_NEVER;
    if (first != 0) {
        uint32_t left = (uint32_t)first->tick - (uint32_t)base;
        alarm_set_for(first->tick, less(left, ALARM_LATENESS));
    }
    arch_kernel_request();
}
