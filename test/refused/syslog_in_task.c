/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task writes a message, where it may only post one.
 *
 * refused: real-time task `task' must not call `syslog_put'
 */
#include <lichen/rt.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>

SYSLOG_MODULE(refused, LOG_INFO);

RT_TASK(task, TC3, .priority = 0, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50)
{
    syslog(LOG_INFO, "text");
}
