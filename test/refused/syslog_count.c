/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A message has fewer arguments than its format.
 *
 * refused: format '%u' expects a matching 'unsigned int' argument
 */
#include <lichen/syslog.h>
#include <lichen/thread.h>

SYSLOG_MODULE(refused, LOG_INFO);

THREAD(speaks, 512, PRIORITY_APP)
{
    syslog(LOG_INFO, "%u %u", 1u);
}
