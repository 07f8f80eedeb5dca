/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A message with a number with a point.
 *
 * error: test/refused/syslog_float.c:16: print has no `%5.1f', which this format uses: "%5.1f
 *        degrees"
 * help: there is no floating point in formats: print a number in two parts, such as hundredths
 *        by print("%d.%02d", n / 100, n % 100)
 */
#include <lichen/syslog.h>
#include <lichen/thread.h>

SYSLOG_MODULE(refused, LOG_INFO);

THREAD(t, 512, PRIORITY_APP)
{
    syslog(LOG_INFO, "%5.1f degrees", 21.5);
}
