/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The timer that captures the times of frames has a real-time task, too.
 *
 * on: micaz
 * refused: multiple definition of `vector_used_TIMER1_COMPA'
 */
#include <lichen/radio.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

EVENT(radio_received)
{
}

RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    rt_acknowledge();
}

THREAD(t, 512, PRIORITY_APP)
{
    radio_listen(true);
    rt_period_start(sample);
}
