/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The program `print`, and two messages, of which the compiler leaves one out. */
#include <lichen/print.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>
#include <lichen/time.h>

SYSLOG_MODULE(bench, LOG_INFO);

THREAD(bench, 640, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(50);
        print("%lu %s\n", 17ul, TEXT("of many"));
        syslog(LOG_INFO, "measure %u", 17u);
        syslog(LOG_DEBUG, "another %u", 18u);
    }
}
