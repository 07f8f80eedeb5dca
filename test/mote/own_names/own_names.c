/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program may call its globals as it likes, also where they are declared before Lichen's headers.
 */
extern int event, frame, from, level, limit, status, thread, to, top, us;

#include <lichen/event.h>
#include <lichen/power.h>
#include <lichen/queue.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

int event = 1, frame = 2, from = 3, level = 4, limit = 5, status = 6, thread = 7, to = 8, top = 9,
    us = 10;

EVENT(adds)
{
    frame += event + from + level + limit + status + thread + to + top + us;
}

TEST(globals_are_the_programs_own)
{
    event_post(&adds);
    sleep_ms(1);
    expect_equal(frame, 55);
}
