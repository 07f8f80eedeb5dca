/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Deadlines, one alarm, and the 64-bit tick.
 *
 * When the alarm fires, the time is known without asking the slow clock, whose answer takes longer
 * than most wake-ups: it is the alarm's tick or a little later. What is due by then expires. If more
 * has become due meanwhile, the next alarm, which is set for the past then, fires at once.
 */
#include "kernel/time/deadline.h"

#include "arch/arch.h"
#include "chip/chip.h"

/* The furthest alarm: a quarter of the counter's range, 9.1 hours. */
#define ALARM_SPAN (UINT32_C(1) << 30)

static struct deadline *first;               /* the list, earliest first */
static uint64_t alarm_tick = DEADLINE_NEVER; /* what the chip's alarm is set to, or none */
static volatile uint64_t base_tick;          /* a moment of the past that is less than a wrap ago */

/* The chip's alarm reaches half a wrap ahead: what is further is approached by alarms in between. */
static void alarm_set_for(uint64_t tick)
{
    uint64_t furthest = base_tick + ALARM_SPAN;
    alarm_tick = tick < furthest ? tick : furthest;
    chip_alarm_set((uint32_t)alarm_tick);
}

void deadline_guard(void)
{
    if (alarm_tick == DEADLINE_NEVER) {
        alarm_set_for(DEADLINE_NEVER);
    }
}

/* A thread may be interrupted by the kernel level between the two halves. */
static uint64_t base_read(void)
{
    uint64_t base;
    do {
        base = base_tick;
    } while (base != base_tick);
    return base;
}

uint64_t deadline_now(void)
{
    uint64_t base = base_read();
    uint32_t count = chip_ticks();
    return base + (uint32_t)(count - (uint32_t)base);
}

void deadline_insert(struct deadline *deadline, void (*expire)(struct deadline *passed))
{
    struct deadline **link = &first;
    while (*link != 0 && (*link)->tick <= deadline->tick) {
        link = &(*link)->next;
    }
    deadline->expire = expire;
    deadline->next = *link;
    *link = deadline;
    if (deadline->tick < alarm_tick) {
        alarm_set_for(deadline->tick);
    }
}

void deadline_remove(struct deadline *deadline)
{
    struct deadline **link = &first;
    while (*link != deadline) {
        link = &(*link)->next;
    }
    *link = deadline->next;
    deadline->expire = 0;
}

static void expire_due(void)
{
    while (first != 0 && first->tick <= base_tick) {
        struct deadline *due = first;
        void (*expire)(struct deadline *) = due->expire;
        first = due->next;
        due->expire = 0;
        expire(due);
    }
}

void kernel_alarm(void)
{
    base_tick = alarm_tick;
    alarm_tick = DEADLINE_NEVER;
    expire_due();
    if (first != 0) {
        alarm_set_for(first->tick);
    }
    arch_kernel_request();
}
