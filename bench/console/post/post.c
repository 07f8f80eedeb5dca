/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An interrupt posts a message each 8 ms or so, when the last one has been sent.
 *
 *   post_call .. post_return
 */
#include <lichen/interrupt.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>

#include "../../kernel/mark.h"
#include "signal.h"

SYSLOG_MODULE(bench, LOG_DEBUG);

SYSLOG_RT(posted, LOG_NOTICE, "posted");

SIGNAL_HANDLER
{
    signal_clear();
    BENCH_MARK(post_call);
    syslog_post_from(posted, 1, LEVEL_DRIVER);
    BENCH_MARK(post_return);
}

volatile uint32_t rounds;

THREAD(computes, 256, PRIORITY_APP)
{
    signal_start(65000);
    for (;;) {
        rounds++;
    }
}
