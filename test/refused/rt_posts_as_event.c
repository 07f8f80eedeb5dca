/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task posts as if it were an event.
 *
 * refused: real-time task `task' must not call `event_post'
 */
#include <lichen/event.h>
#include <lichen/rt.h>

EVENT(event)
{
}

RT_TASK(task, TC3, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    event_post(&event);
}
