/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two tasks that say how long the mote may take to wake: the shorter time applies, permanently. */
#include <lichen/rt.h>

#include <lichen/power.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

#define SCB_SCR           (*(volatile uint32_t *)0xe000ed10u)
#define SCB_SCR_SLEEPDEEP 4u
#define PM_SLEEP          (*(volatile uint8_t *)0x40000401u)

RT_TASK(patient, TCC0, .priority = 1, .period_us = 1000, .deadline_us = 100, .wcet_cycles = 50,
        .max_wake_us = 19)
{
}

RT_TASK(hasty, TCC1, .priority = 0, .period_us = 1000, .deadline_us = 50, .wcet_cycles = 50,
        .max_wake_us = 12)
{
}

TEST(the_mote_sleeps_no_deeper_than_the_least_of_them_allows)
{
    sleep_ms(5); /* until the console is done */
    sleep_ms(5);
    expect_equal(SCB_SCR & SCB_SCR_SLEEPDEEP, 0);
    /* IDLE0 takes 4 us, IDLE1 13. */
    expect_equal(PM_SLEEP, 0);
}
