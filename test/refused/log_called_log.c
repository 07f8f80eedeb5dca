/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A log has the name of a function that the compiler knows:
 *
 * error: test/refused/log_called_log.c:11:5: `log' cannot be the name of a LOG: C keeps it for a
 *        function
 * help: give it another name, such as my_log
 */
#include <lichen/log.h>
#include <lichen/thread.h>

LOG(log, 1024);

THREAD(writer, 512, PRIORITY_APP)
{
    int error = log_sync(&log);
    (void)error;
}
