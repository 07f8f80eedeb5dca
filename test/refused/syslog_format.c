/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A message has an argument of another type than its format says.
 *
 * refused: format '%s' expects argument of type 'char *'
 */
#include <lichen/syslog.h>
#include <lichen/thread.h>

SYSLOG_MODULE(refused, LOG_INFO);

THREAD(speaks, 512, PRIORITY_APP)
{
    syslog(LOG_INFO, "%s", 1);
}
