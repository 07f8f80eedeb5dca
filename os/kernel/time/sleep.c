/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads that sleep. */
#include <lichen/time.h>

#include "kernel/thread/syscall.h"

static int sleep_until(void *argument)
{
    return syscall_wait(argument);
}

void sleep_ticks(uint64_t ticks)
{
    struct syscall call;
    call.deadline.tick = ticks;
    (void)syscall_enter(syscall_wait_after, &call, syscall_expire);
}

void sleep_converted_us(uint32_t us)
{
    sleep_ticks(deadline_of_us(us));
}

void sleep_converted_ms(uint32_t ms)
{
    sleep_ticks(deadline_of_us(time_product(ms, TIME_US_PER_MS)));
}

void sleep_until_us(uint64_t deadline)
{
    (void)syscall_run_on_until(sleep_until, 0, deadline);
}

/* A length has less than 2^63 ticks, which are added to the present. */
void sleep_long_us(uint64_t us)
{
    uint64_t ticks = deadline_of_us(us);
    sleep_ticks(ticks != DEADLINE_NEVER ? ticks : INT64_MAX);
}

void sleep_long_ms(uint64_t ms)
{
    sleep_long_us(ms <= UINT64_MAX / 1024 ? time_product(ms, TIME_US_PER_MS) : UINT64_MAX);
}
