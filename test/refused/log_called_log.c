/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A log is called log.
 *
 * error: test/refused/log_called_log.c:11:5: `log' is the name of a function of the C library
 * help: give this another name, such as my_log
 */
/* clang-format off */
#include <lichen/log.h>
#include <lichen/thread.h>

LOG(log, 1024);

THREAD(t, 512, PRIORITY_APP)
{
    (void)log_append(&log, "a", 1);
}
