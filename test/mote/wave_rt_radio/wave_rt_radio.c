/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A wave, a real-time task and the radio at once. The MicaZ has no timer left for the task. */
#include <lichen/pwm.h>
#include <lichen/rt.h>

#include "sends.h"
#include "test.h"
#include "wave.h"
#include "wave_pins.h"

enum { HZ = 50, PERIOD_US = 1000 };

static volatile unsigned runs;

RT_TASK(counts, RT_TIMER_B, .priority = 0, .period_us = PERIOD_US, .deadline_us = 100,
        .wcet_cycles = 100)
{
    rt_acknowledge();
    runs++;
}

TEST(a_wave_a_task_and_the_radio_go_together)
{
    sends_begin();
    expect_equal(pwm_start(WAVE_PIN, HZ, PWM_SHARE(25)), 0);
    rt_period_start(counts);
    uint64_t start = time_now_us();
    unsigned before = sends_count();

    expect_wave(WAVE_PIN, 25, HZ);
    rt_period_stop(counts);
    unsigned periods = (unsigned)((uint32_t)(time_now_us() - start) / PERIOD_US);
    expect(sends_count() - before >= 2);
    expect(runs + 1 >= periods);
    expect(runs <= periods + 1);
}

TEST(a_wave_goes_on_without_the_task)
{
    expect_wave(WAVE_PIN, 25, HZ);
    pwm_stop(WAVE_PIN);
    expect_wave(WAVE_PIN, 0, 0);
}
