/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sampler: only the two kinds of work that cost next to nothing.
 *
 * A real-time task runs 100 times a second, exactly, whatever else the mote does: it is the handler
 * of its timer's interrupt. Here it counts; a real one would read a converter. Every hundredth time
 * it signals a cooperative thread, which blinks. Another one blinks longer every tenth second.
 *
 * There is no thread and no event, so the program links neither: the work costs 5 bytes of RAM for
 * each cooperative thread, and the kernel's stack is the only one.
 *
 *     ./lichen run sampler --for 5s
 */
#include <lichen/coop.h>
#include <lichen/led.h>
#include <lichen/rt.h>

enum {
    SAMPLES_PER_S = 100,
};

static unsigned samples; /* of this second */

COOP(beat)
{
    COOP_BEGIN();
    for (;;) {
        coop_wait();
        led_on(0);
        coop_sleep_ms(20);
        led_off(0);
    }
    COOP_END();
}

RT_TASK(sample, RT_TIMER_A, .priority = 0, .period_us = 10000, .deadline_us = 100,
        .wcet_cycles = 120)
{
    rt_acknowledge();
    if (++samples == SAMPLES_PER_S) {
        samples = 0;
        coop_signal(&beat);
    }
}

COOP(start)
{
    COOP_BEGIN();
    rt_period_start(sample);
    for (;;) {
        coop_sleep_ms(10 * 1000);
        led_on(0);
        coop_sleep_ms(200);
        led_off(0);
    }
    COOP_END();
}
