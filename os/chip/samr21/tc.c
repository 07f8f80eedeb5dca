/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Periods of real-time tasks: a timer/counter that restarts and interrupts at each match of CC0
 * (SAM R21 data sheet, section TC, match frequency).
 *
 * The timers count OSC8M, whatever the processor runs from. A microsecond is 8 counts, so every
 * period up to 65 ms is exact; longer ones use a prescaler and are rounded to a count.
 */
#include "chip/samr21/reg/tc.h"

#include <lichen/assert.h>
#include <lichen/power.h>
#include <lichen/rt.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/tc.h"

CLOCK_NEEDS(clock_8m);

enum {
    COUNTS_PER_US = CLOCK_8M_HZ / 1000000,
    COUNTS_MOST = 65536,
};

const uint8_t tc_division[TC_DIVISIONS] = {0, 1, 2, 3, 4, 6, 8, 10};

/* A timer's name stands for the address of its flags, which a task clears (lichen/rt.h). */
__asm__(".global rt_timer_TC3, rt_timer_TC4, rt_timer_TC5\n"
        ".set rt_timer_TC3, 0x42002c0e\n"
        ".set rt_timer_TC4, 0x4200300e\n"
        ".set rt_timer_TC5, 0x4200340e\n");

/* A running timer needs OSC8M, which stops in standby. */
POWER_LIMIT(timers_limit);

static struct tc *registers_of(volatile uint8_t *timer)
{
    return (struct tc *)((uintptr_t)timer - offsetof(struct tc, INTFLAG));
}

static unsigned index_of(volatile uint8_t *timer)
{
    return ((uintptr_t)timer - TC3_BASE) / TC_BYTES;
}

static void wait_while_busy(struct tc *tc)
{
    while (tc->STATUS & TC_STATUS_SYNCBUSY) {
    }
}

/* The smallest division with which a period fits the counter, which is the most exact one. */
static unsigned prescaler_for(uint32_t period_us)
{
    unsigned prescaler = 0;
    while (period_us > (uint32_t)(COUNTS_MOST / COUNTS_PER_US) << tc_division[prescaler]) {
        prescaler++;
        assert(prescaler < TC_DIVISIONS);
    }
    return prescaler;
}

static uint16_t top_for(uint32_t period_us, unsigned prescaler)
{
    uint32_t half = (1u << tc_division[prescaler]) / 2;
    return (uint16_t)(((period_us * COUNTS_PER_US + half) >> tc_division[prescaler]) - 1);
}

static uintptr_t clock_mask(unsigned index)
{
    return (uintptr_t)PM_APBCMASK_TC3 << index;
}

/* The sleep limit follows the bus clocks. Stopping the last timer must not overlap with starting
 * another.
 */
static int begin_clock(void *mask, void *unused)
{
    (void)unused;
    shared_register_update(&PM->APBCMASK, (uint32_t)(uintptr_t)mask, (uint32_t)(uintptr_t)mask);
    power_limit(&timers_limit, CHIP_SLEEP_IDLE2);
    return 0;
}

static int end_clock(void *mask, void *unused)
{
    (void)unused;
    shared_register_update(&PM->APBCMASK, (uint32_t)(uintptr_t)mask, 0);
    if (!(PM->APBCMASK.value & PM_APBCMASK_TC_ALL)) {
        power_unlimit(&timers_limit);
    }
    return 0;
}

void rt_timer_start(volatile uint8_t *timer, uint32_t period_us)
{
    struct tc *tc = registers_of(timer);
    unsigned index = index_of(timer);
    unsigned prescaler = prescaler_for(period_us);
    uint16_t control = (uint16_t)(TC_CTRLA_WAVEGEN_MFRQ | prescaler << TC_CTRLA_PRESCALER_Pos);

    (void)arch_run_exclusive((void *)clock_mask(index), 0, begin_clock);
    clock_connect(index == 0 ? GCLK_ID_TCC2_TC3 : GCLK_ID_TC4_TC5, CLOCK_8M);
    tc->CTRLA = TC_CTRLA_SWRST;
    wait_while_busy(tc);
    tc->CTRLA = control;
    tc->CC[0] = top_for(period_us, prescaler);
    wait_while_busy(tc);
    tc->INTENSET = TC_INT_OVF;
    tc->CTRLA = (uint16_t)(control | TC_CTRLA_ENABLE);
    wait_while_busy(tc);
}

/* The bus clocks show which timers run: a stopped timer has none. */
void rt_timer_stop(volatile uint8_t *timer)
{
    uintptr_t mask = clock_mask(index_of(timer));
    struct tc *tc = registers_of(timer);

    if (!(PM->APBCMASK.value & mask)) {
        return;
    }
    tc->CTRLA = 0;
    wait_while_busy(tc);
    (void)arch_run_exclusive((void *)mask, 0, end_clock);
}
