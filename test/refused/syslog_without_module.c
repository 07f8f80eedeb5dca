/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A message in a file that has not said which module it is.
 *
 * error: test/refused/syslog_without_module.c:12:5: this file has no module for its messages
 * help: write SYSLOG_MODULE(NAME, LOG_DEBUG); above the first message (<lichen/syslog.h>)
 */
#include <lichen/syslog.h>
#include <lichen/thread.h>

THREAD(speaks, 512, PRIORITY_APP)
{
    syslog(LOG_INFO, "up");
}
