/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task posts an event at times that have nothing to do with the radio's, and the event
 * tells how late it is: by interrupts, and by what runs at the kernel level, the radio's events. */
#include <lichen/am.h>
#include <lichen/print.h>
#include <lichen/rt.h>
#include <lichen/thread.h>

#include "cycles.h"
#include "test.h"

enum {
    PROBE = 9,
    LONGEST = 118,
    MESSAGES = 100,
    /* An alarm of a timer is 1,350 of them at the kernel level, an event of the radio 600; the
     * task's interrupt, one of a byte and the kernel's part are some 650 behind either. */
    LATEST_CYCLES = 2000,
};

static uint16_t latest;
static uint32_t sum;
static uint16_t runs;

EVENT(probe)
{
    uint16_t cycles = cycles_since_task();

    runs++;
    sum += cycles;
    if (cycles > latest) {
        latest = cycles;
    }
}

RT_TASK(probing, RT_TIMER_A, .priority = 1, .period_us = 1010, .deadline_us = 500,
        .wcet_cycles = 200)
{
    rt_acknowledge();
    event_post_from(&probe, 1);
}

TEST(messages_that_leave_hold_nothing_up)
{
    static const uint8_t payload[LONGEST];

    expect_equal(link_open(0), 0);
    sleep_ms(200);
    rt_period_start(probing);
    for (uint8_t i = 0; i < MESSAGES; i++) {
        expect_equal(am_send(AM_ALL, PROBE, payload, sizeof(payload)), 0);
    }
    rt_period_stop(probing);
    print("%u events, %u cycles late at the most, %u in the mean\n", runs, latest,
          (unsigned)(sum / runs));
    expect(runs > 1000);
    expect(latest <= LATEST_CYCLES);
}
