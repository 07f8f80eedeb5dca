/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Deadlines and one alarm.
 *
 * When an alarm fires, its tick is known to have been reached, without reading the slow clock,
 * which takes longer than most wake-ups. What is due by that tick expires. If more has become due
 * meanwhile, the next alarm is set for a tick in the past, and fires at once.
 *
 * Nothing here takes a tick that was reached, or a reading, for the present time: an event, a
 * thread or interrupts may have delayed this level since, for any length of time.
 */
#include "kernel/time/time.h"

#include <lichen/assert.h>
#include <lichen/kernel.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "kernel/start.h"

NEEDS(ticks_start);
NEEDS(coop_alarm_among_deadlines);

static struct deadline *first;               /* the list, earliest first */
static struct deadline *unread;              /* relative ones that wait for a reading */
static uint64_t alarm_tick = DEADLINE_NEVER; /* what the chip's alarm is set to, or none */

/* Sets the alarm if it must come earlier; for a deadline that never comes, none must. */
static inline __attribute__((always_inline)) void alarm_by(const uint64_t *tick)
{
    if (arch_u64_less(tick, &alarm_tick)) {
        arch_u64_copy(&alarm_tick, tick);
        chip_alarm_set(tick);
    }
}

static void request_reading(void *unused)
{
    (void)unused;
    chip_ticks_request();
}

static void take_reading(void *now)
{
    *(uint64_t *)now = chip_ticks_take();
}

/* A thread waits for the reading at thread level, so that events and more urgent threads run. */
uint64_t deadline_now(void)
{
    uint64_t now;
    kernel_do(request_reading, 0);
    while (chip_ticks_pending()) {
    }
    kernel_do(take_reading, &now);
    return now;
}

static void insert(struct deadline *deadline)
{
    struct deadline **link = &first;
    while (*link != 0 && !arch_u64_less(&deadline->tick, &(*link)->tick)) {
        link = &(*link)->next;
    }
    deadline->next = *link;
    *link = deadline;
    alarm_by(&deadline->tick);
}

void deadline_insert(struct deadline *deadline, deadline_fn *expire)
{
    deadline->expire = expire;
    insert(deadline);
}

/* If a reading is needed, one serves all calls that come while it is under way. */
void deadline_insert_after(struct deadline *deadline, deadline_fn *expire)
{
    deadline->expire = expire;
    if (chip_ticks_await(&deadline->tick)) {
        insert(deadline);
        return;
    }
    deadline->next = unread;
    unread = deadline;
}

/* The tick in progress at the reading counts as passed: it may have been nearly over. */
void deadline_tick_arrived(const uint64_t *read)
{
    while (unread != 0) {
        struct deadline *deadline = unread;
        unread = deadline->next;
        arch_u64_add(&deadline->tick, read, true);
        insert(deadline);
    }
}

/* Whether it was in the list. */
static bool remove_from(struct deadline **link, const struct deadline *deadline)
{
    for (; *link != 0; link = &(*link)->next) {
        if (*link == deadline) {
            *link = deadline->next;
            return true;
        }
    }
    return false;
}

static struct deadline *find_in(struct deadline *deadline, const void *begin, size_t bytes)
{
    while (deadline != 0 && (uintptr_t)deadline - (uintptr_t)begin >= bytes) {
        deadline = deadline->next;
    }
    return deadline;
}

struct deadline *deadline_in(const void *begin, size_t bytes)
{
    struct deadline *found = find_in(first, begin, bytes);
    return found != 0 ? found : find_in(unread, begin, bytes);
}

/* One that is in neither list was in memory that was not cleared, or that has been overwritten. */
void deadline_remove(struct deadline *deadline)
{
    bool removed = remove_from(&first, deadline) || remove_from(&unread, deadline);
    assert(removed);
    deadline->expire = 0;
}

static void expire_until(const uint64_t *reached)
{
    while (first != 0 && !arch_u64_less(reached, &first->tick)) {
        struct deadline *due = first;
        deadline_fn *expire = due->expire;
        first = due->next;
        due->expire = 0;
        expire(due, reached);
    }
}

/* While deadlines expire, `alarm_tick` is still the tick of the alarm that has fired. Later
 * deadlines that are inserted meanwhile do not set the alarm: it is set once, for the first
 * deadline that is left. This handler cannot switch, so the kernel level is requested for
 * threads that have become ready. */
void deadline_alarm(const uint64_t *reached)
{
    expire_until(reached);
    alarm_tick = DEADLINE_NEVER;
    if (first != 0) {
        alarm_by(&first->tick);
    }
    arch_kernel_request();
}
