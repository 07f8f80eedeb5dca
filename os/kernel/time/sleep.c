/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads that wait for time. */
#include <lichen/time.h>

#include "kernel/thread/message.h"

static int sleep_until(void *argument)
{
    return message_wait(argument);
}

static int sleep_from_now(void *argument)
{
    return message_wait_after(argument);
}

static void wait_for(arch_call_fn *call, uint64_t tick)
{
    struct message message;
    (void)message_call_tick(call, &message, tick);
}

void sleep_us(uint32_t us)
{
    wait_for(sleep_from_now, deadline_of_us(us));
}

void sleep_ms(uint32_t ms)
{
    wait_for(sleep_from_now, deadline_of_us(time_product(ms, TIME_US_PER_MS)));
}

void sleep_until_us(uint64_t deadline)
{
    wait_for(sleep_until, deadline_of_us(deadline));
}
