/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Two tasks that say how long the mote may take to wake: the shorter time applies, permanently. */
#include <lichen/rt.h>

#include <lichen/power.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "sleep_mode.h"
#include "software_interrupt.h"
#include "test.h"

RT_TASK(patient, SOFTWARE_VECTOR_1, .priority = 1, .period_us = 1000, .deadline_us = 100,
        .wcet_cycles = 50, .max_wake_us = PATIENT_US)
{
}

RT_TASK(hasty, SOFTWARE_VECTOR_0, .priority = 0, .period_us = 1000, .deadline_us = 50,
        .wcet_cycles = 50, .max_wake_us = HASTY_US)
{
}

TEST(the_mote_sleeps_no_deeper_than_the_least_of_them_allows)
{
    sleep_ms(5); /* until the console is done */
    sleep_ms(5);
    expect_equal(sleep_mode(), SLEEP_HASTY);
}
