/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Messages while the console's ring is empty.
 *
 *   syslog_call .. syslog_return    40 characters on the console, 18 of them the message's text
 *   print_call .. print_return      these 18
 *   below_call .. below_return      a message beyond the level of its module
 *   known_call .. known_return      the time
 */
#include <lichen/syslog.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../../kernel/mark.h"

SYSLOG_MODULE_ADJUSTABLE(bench, LOG_DEBUG, LOG_NOTICE);

THREAD(bench, 640, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(50);
        BENCH_MARK(syslog_call);
        syslog(LOG_NOTICE, "measure %u of %s", 17u, TEXT("many"));
        BENCH_MARK(syslog_return);
        sleep_ms(50);
        BENCH_MARK(print_call);
        print("measure %u of %s\n", 17u, TEXT("many"));
        BENCH_MARK(print_return);
        sleep_ms(50);
        BENCH_MARK(below_call);
        syslog(LOG_INFO, "measure %u of %s", 17u, TEXT("many"));
        BENCH_MARK(below_return);
        struct time_moment now;
        BENCH_MARK(known_call);
        time_known(&now);
        BENCH_MARK(known_return);
    }
}
