/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A wave by TC3, which counts OSC8M: match PWM (SAM R21 data sheet, section TC). CC0 is the top,
 * and WO[1] is high from the beginning of a period for CC1 counts.
 *
 * Unlike TCC0, TC3 has no second compare register that waits for the period's end. A width that the
 * counter has already passed would leave the pin high for a whole period, so the counter is moved
 * to where the pulse ends.
 *
 * A real-time task on RT_TIMER_A has the same timer: samr21.ld refuses a program with both.
 */
#include "chip/samr21/pwm_tc.h"

#include <stdbool.h>

#include <lichen/rt.h>

#include "chip/samr21/clock.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/reg/tc.h"
#include "chip/samr21/tc.h"

CLOCK_NEEDS(clock_8m);

/* So that CC1 can be one more than the top. */
enum { COUNTS_MOST = UINT16_MAX };

static struct tc *const TC3 = (struct tc *)TC3_BASE;
extern volatile uint8_t rt_timer_TC3[];

static uint16_t counts; /* of a period */

static void wait_while_busy(void)
{
    while (TC3->STATUS & TC_STATUS_SYNCBUSY) {
    }
}

void pwm_tc_prepare(uint32_t hz)
{
    uint32_t clocks = (CLOCK_8M_HZ + hz / 2) / hz;
    unsigned prescaler = 0;

    while (clocks >> tc_division[prescaler] > COUNTS_MOST) {
        prescaler++;
    }
    counts = (uint16_t)(clocks >> tc_division[prescaler]);
    shared_register_update(&PM->APBCMASK, PM_APBCMASK_TC3, PM_APBCMASK_TC3);
    clock_connect(GCLK_ID_TCC2_TC3, CLOCK_8M);
    TC3->CTRLA = TC_CTRLA_SWRST;
    wait_while_busy();
    TC3->CTRLA = (uint16_t)(TC_CTRLA_WAVEGEN_MPWM | prescaler << TC_CTRLA_PRESCALER_Pos);
    TC3->CC[0] = (uint16_t)(counts - 1);
    wait_while_busy();
}

void pwm_tc_run(void)
{
    TC3->CTRLA |= TC_CTRLA_ENABLE;
    wait_while_busy();
}

/* Also withdraws the bus clock, and with it what keeps the chip from standby once no timer of a
 * task runs. */
void pwm_tc_stop(void)
{
    rt_timer_stop(rt_timer_TC3);
}

static uint16_t count_now(void)
{
    TC3->READREQ = TC_READREQ_COUNT;
    wait_while_busy();
    return TC3->COUNT;
}

/* Ends a pulse that has lasted for `high` counts or more: the next count is the match, or begins a
 * period without a pulse. */
static void end_pulse(uint16_t high)
{
    if (gpio_read(PWM_TC_PIN) && count_now() >= high) {
        TC3->COUNT = (uint16_t)((high == 0 ? counts : high) - 1);
        wait_while_busy();
    }
}

void pwm_tc_set(uint16_t share)
{
    uint16_t high =
        share == UINT16_MAX ? counts : (uint16_t)((counts * (uint32_t)share + (1u << 15)) >> 16);

    TC3->CC[1] = high;
    wait_while_busy();
    if (TC3->CTRLA & TC_CTRLA_ENABLE) {
        end_pulse(high);
    }
}
