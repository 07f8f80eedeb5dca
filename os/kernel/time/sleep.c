/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Threads that wait for time. */
#include <lichen/time.h>

#include "kernel/thread/message.h"

static int sleep_until(void *argument)
{
    return message_wait(argument);
}

void sleep_us(uint32_t us)
{
    (void)message_do_until(message_wait_after, 0, us);
}

void sleep_ms(uint32_t ms)
{
    (void)message_do_until(message_wait_after, 0, time_product(ms, TIME_US_PER_MS));
}

void sleep_until_us(uint64_t deadline)
{
    (void)message_do_until(sleep_until, 0, deadline);
}
