/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task has a vector that the console's driver has.
 *
 * refused: multiple definition of `SERCOM0_handler'
 */
#include <lichen/print.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

RT_TASK(task, SERCOM0, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
}

THREAD(prints, 512, PRIORITY_APP)
{
    print("hello\n");
}
