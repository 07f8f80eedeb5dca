/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A message has no level.
 *
 * error: test/refused/syslog_without_level.c:15:5: the message has no level
 * help: write it first: syslog(LOG_INFO, "hello %d", 5);
 */
/* clang-format off */
#include <lichen/syslog.h>
#include <lichen/thread.h>

SYSLOG_MODULE(app, LOG_INFO);

THREAD(t, 512, PRIORITY_APP)
{
    syslog("hello %d", 5);
}
