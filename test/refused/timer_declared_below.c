/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An event arms its own timer, which is declared below it.
 *
 * error: test/refused/timer_declared_below.c:12:29: `again' is declared further down, in line 14
 * help: move this behind it, or write extern struct timer again; above it
 */
#include <lichen/event.h>
#include <lichen/timer.h>

EVENT(ticks)
{
    (void)!timer_arm_after(&again, 1000);
}
TIMER(again, ticks);
