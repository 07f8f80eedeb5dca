/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads in a program without events and threads. Calls that do not block are theirs
 * too, and reading the clock needs the kernel level.
 */
#include <lichen/coop.h>
#include <lichen/time.h>

#include <stdbool.h>

#include "../event_alone/report.h"

#define NAP_MS 10u

COOP(reads_the_clock)
{
    static uint64_t before;
    COOP_BEGIN();
    report_begin();
    before = time_now_us();
    coop_sleep_ms(NAP_MS);
    EXPECT(time_now_us() - before >= NAP_MS * TIME_US_PER_MS);
    EXPECT(time_now_us() - before <= 2 * NAP_MS * TIME_US_PER_MS);
    report("a_cooperative_thread_reads_the_clock");
    report_all();
    COOP_END();
}
