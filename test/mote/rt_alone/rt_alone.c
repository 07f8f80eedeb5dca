/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A real-time task and nothing else: no event, no thread, no console, no kernel level. Start-up
 * becomes a loop of waits, in which the mote sleeps as deeply as the task's timer allows.
 *
 * The task has priority 1. test/mote/rt_urgent compiles this file with priority 0, where AVR links
 * no vector but the task's: an interrupt that start-up itself requested would execute what lies
 * behind the table.
 *
 * The timer is started the way parts of the kernel are, since nothing else runs at start-up; the
 * task itself prints its result, byte by byte.
 */
#include <lichen/rt.h>

#include <stdbool.h>

#include "kernel/start.h"
#include "plain_port.h"
#include "sleep_mode.h"

#define RUNS 3u

static void say(const char *text)
{
    for (; arch_text(text) != 0; text++) {
        plain_send(arch_text(text));
    }
}

/* In the form that test.h describes. */
static void report(bool passed)
{
    say(ARCH_TEXT("test the_mote_sleeps_between_runs_of_a_task "));
    say(passed ? ARCH_TEXT("ok\n1 passed, 0 failed\n")
               : ARCH_TEXT("failed " TEST_FILE ":1: asleep == RUNS\n0 passed, 1 failed\n"));
}

/* The last run takes as long as its report. */
RT_TASK(task, RT_TIMER_A, .priority = TASK_PRIORITY, .period_us = 50000, .deadline_us = 50000,
        .wcet_cycles = 200000)
{
    static unsigned runs, asleep;
    rt_acknowledge();
    runs++;
    asleep += sleep_mode() == SLEEP_COUNTING;
    if (runs == RUNS) {
        report(asleep == RUNS);
    }
}

static void begin(void)
{
    plain_open();
    rt_period_start(task);
}
START(begin);
