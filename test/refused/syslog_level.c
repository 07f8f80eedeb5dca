/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A level that is none.
 *
 * refused: level of a message
 */
#include <lichen/syslog.h>
#include <lichen/thread.h>

SYSLOG_MODULE(refused, LOG_INFO);

THREAD(speaks, 512, PRIORITY_APP)
{
    syslog(9, "text");
}
