/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads that sleep until an alarm in microseconds. */
#include <lichen/assert.h>

#include "kernel/thread/syscall.h"
#include "kernel/time/time.h"

/* A call, on the caller's stack. */
struct exact_sleep {
    struct syscall syscall; /* its object is `us` */
    struct alarm alarm;
};

static struct syscall *sleepers; /* the calls that wait; kernel level */

/* The alarms of one or more of them have fired. */
EVENT(exact_sleep_ends)
{
    struct syscall **link = &sleepers;
    while (*link != 0) {
        struct exact_sleep *sleep = (struct exact_sleep *)*link;
        if (sleep->alarm.is_set) {
            link = &sleep->syscall.next;
        } else {
            syscall_end(&sleep->syscall, 0);
        }
    }
}

static void cancel(struct syscall *call)
{
    (void)alarm_end(&((struct exact_sleep *)call)->alarm);
}

static int begin(void *call)
{
    struct exact_sleep *sleep = call;
    sleep->alarm.event = &exact_sleep_ends;
    sleep->syscall.cancel = cancel;
    alarm_begin(&sleep->alarm, (uint16_t)(uintptr_t)sleep->syscall.object);
    return syscall_wait_in(&sleep->syscall, &sleepers);
}

void sleep_exact_us(uint32_t us)
{
    struct exact_sleep sleep;
    assert(us <= ALARM_MAX_US);
    sleep.syscall.object = (void *)(uintptr_t)us;
    (void)syscall_run(begin, &sleep.syscall);
}
