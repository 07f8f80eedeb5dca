/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads that wait for time. */
#include <lichen/time.h>

#include "kernel/thread/message.h"

static int sleep(void *argument)
{
    message_wait(argument);
    return 0;
}

static void sleep_until_tick(uint64_t tick)
{
    struct message message = {.deadline.tick = tick};
    (void)message_call(sleep, &message);
}

/* The tick that is running now counts as passed: it may be nearly over. */
static void sleep_ticks(uint64_t ticks)
{
    sleep_until_tick(deadline_now() + ticks + 1);
}

void sleep_us(uint32_t us)
{
    sleep_ticks(deadline_of_us(us));
}

void sleep_ms(uint32_t ms)
{
    sleep_ticks(deadline_of_us((uint64_t)ms * TIME_US_PER_MS));
}

void sleep_until_us(uint64_t deadline)
{
    sleep_until_tick(deadline_of_us(deadline));
}
