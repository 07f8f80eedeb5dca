/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter of alarms in microseconds: timer 1 in normal mode, from the I/O clock divided by 8
 * (ATmega128 data sheet, 16-bit Timer/Counter).
 *
 * A match with OCR1A is noticed when the counter leaves it. A value that the counter has already
 * come to when it is written would be noticed a wrap later: it is replaced by one that is ahead.
 *
 * Captures (capture.c) read the same timer: it runs while there are alarms or captures.
 *
 * A real-time task on RT_TIMER_B has the same vector, so a program with both does not link.
 */
#include <lichen/assert.h>
#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "chip/atmega128/registers.h"
#include "chip/atmega128/timer1.h"

/* The crystal with which the longest alarm, 30 ms, has 2^15 counts. */
#define CRYSTAL_MAX_HZ 8700000u

/* The counter stands in all other modes. */
POWER_LIMIT(counter_limit);

static volatile bool missed;  /* the interrupt was called while it was held */
static volatile bool running; /* for alarms */

static bool has_captures(void)
{
    return TIMSK & 1 << TICIE1;
}

bool counter_has_alarms(void)
{
    return running;
}

void chip_counter_start(void)
{
    assert(chip_clock_hz() <= CRYSTAL_MAX_HZ);
    running = true;
    if (!has_captures()) {
        TCCR1B = COUNTER_CLOCK;
    }
    power_limit(&counter_limit, CHIP_SLEEP_IDLE);
}

void chip_counter_stop(void)
{
    running = false;
    if (!has_captures()) {
        TCCR1B = 0;
    }
    power_unlimit(&counter_limit);
}

uint16_t chip_counter_read(void)
{
    return register_read_16(&TCNT1);
}

/* A microsecond has hz / 8,000,000 counts, in 65,536ths (hz / 128) * 1.048576. The result is
 * rounded up, and a count may be under way. */
uint16_t chip_counter_counts(uint16_t us)
{
    uint32_t part = chip_clock_hz() >> 7;
    uint32_t factor = part + (part * 3184 >> 16) + 1;
    return (uint16_t)((us * factor >> 16) + 2);
}

void chip_counter_match(uint16_t count)
{
    uint16_t ahead = 1;
    register_write_16(&OCR1A, count);
    while ((int16_t)(count - chip_counter_read()) <= 0 && !(TIFR & 1 << OCF1A)) {
        ahead = (uint16_t)(2 * ahead);
        count = (uint16_t)(chip_counter_read() + ahead);
        register_write_16(&OCR1A, count);
    }
}

void chip_counter_hold(void)
{
    register_update(&TIMSK, 1 << OCIE1A, 0);
}

void chip_counter_release(void)
{
    register_update(&TIMSK, 1 << OCIE1A, 1 << OCIE1A);
    if (missed) {
        missed = false;
        chip_counter_match(chip_counter_read());
    }
}

/* It may have been deferred when the counter was stopped, or before it was held: then the exit of
 * another handler may call it while the list is being changed. */
INTERRUPT(TIMER1_COMPA)
{
    if (TIMSK & 1 << OCIE1A) {
        kernel_counter_matched();
    } else {
        missed = true;
    }
}
