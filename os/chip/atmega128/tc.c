/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Periods of real-time tasks: timers 1 and 3, which restart and interrupt at each match of OCRnA
 * (ATmega128 data sheet, 16-bit Timer/Counter, CTC mode).
 *
 * The timers count the processor's clock, so a period is exact to half a count of the smallest
 * prescaler with which it fits 16 bits: periods up to 8.9 ms to a cycle.
 */
#include <lichen/assert.h>
#include <lichen/power.h>
#include <lichen/rt.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "chip/atmega128/registers.h"

/* A timer's name stands for the address of its first register, TCCRnA. */
__asm__(".global rt_timer_TIMER1_COMPA, rt_timer_TIMER3_COMPA\n"
        ".set rt_timer_TIMER1_COMPA, 0x4f\n"
        ".set rt_timer_TIMER3_COMPA, 0x8b\n");

/* A running timer needs the clock of the peripherals. */
POWER_LIMIT(timers_limit);

static volatile uint8_t running; /* bit 0 timer 1, bit 1 timer 3; written at the kernel level */

/* No timer counts longer. */
#define PERIOD_MAX_US UINT32_C(10000000)

/* Cycles of a period: of whole 10 ms and of the rest, so that 32 bits hold the products. */
static uint32_t cycles_of(uint32_t period_us)
{
    uint32_t cycles_of_10_ms = chip_clock_hz() / 100;
    uint32_t rest = period_us % 10000;
    return period_us / 10000 * cycles_of_10_ms + (rest * cycles_of_10_ms + 5000) / 10000;
}

/* What starts a timer. */
struct start {
    uint16_t top;
    uint8_t control; /* TCCRnB */
};

static struct start start_of(uint32_t period_us)
{
    static const ARCH_FLASH uint8_t shifts[] = {0, 3, 6, 8, 10};
    assert(period_us <= PERIOD_MAX_US);
    uint32_t cycles = cycles_of(period_us);
    for (uint8_t i = 0; i < sizeof(shifts); i++) {
        uint32_t counts = (cycles + ((UINT32_C(1) << shifts[i]) >> 1)) >> shifts[i];
        if (counts != 0 && counts <= UINT16_MAX + UINT32_C(1)) {
            return (struct start){(uint16_t)(counts - 1), (uint8_t)(1 << WGM12 | (i + 1))};
        }
    }
    assert(false); /* a period of a few cycles, or of more than 9 s */
    return (struct start){0, 0};
}

static int note_running(void *bit_, void *on)
{
    uint8_t bit = (uint8_t)(uintptr_t)bit_;
    running = (uint8_t)(on != 0 ? running | bit : running & ~bit);
    if (running != 0) {
        power_limit(&timers_limit, CHIP_SLEEP_IDLE);
    } else {
        power_unlimit(&timers_limit);
    }
    return 0;
}

static void note(uint8_t bit, bool on)
{
    (void)arch_run_exclusive((void *)(uintptr_t)bit, (void *)(uintptr_t)on, note_running);
}

static bool is_timer_1(volatile uint8_t *timer)
{
    return timer == &TCCR1A;
}

void rt_timer_start(volatile uint8_t *timer, uint32_t period_us)
{
    struct start start = start_of(period_us);
    rt_timer_stop(timer);
    if (is_timer_1(timer)) {
        register_write_16(&TCNT1, 0);
        register_write_16(&OCR1A, start.top);
        TIFR = 1 << OCF1A;
        register_update(&TIMSK, 1 << OCIE1A, 1 << OCIE1A);
        note(1, true);
        TCCR1B = start.control;
    } else {
        register_write_16(&TCNT3, 0);
        register_write_16(&OCR3A, start.top);
        ETIFR = 1 << OCF3A;
        register_update(&ETIMSK, 1 << OCIE3A, 1 << OCIE3A);
        note(2, true);
        TCCR3B = start.control;
    }
}

void rt_timer_stop(volatile uint8_t *timer)
{
    if (is_timer_1(timer)) {
        TCCR1B = 0;
        note(1, false);
    } else {
        TCCR3B = 0;
        note(2, false);
    }
}
