/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Times of pulses at PD4, the capture input of timer 1, which counts an eighth of the I/O clock
 * (ATmega128 data sheet, 16-bit Timer/Counter, Input Capture Unit).
 *
 * An interrupt comes with each edge, has the next other edge captured, and keeps the pulse when it
 * is over. The count has 16 bits; its wraps are counted by the interrupt of the overflow.
 *
 * Alarms count the same timer (counter.c), which this file links. So a program with a real-time
 * task on RT_TIMER_B does not link.
 */
#include "chip/capture.h"

#include <lichen/interrupt.h>
#include <lichen/power.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "chip/atmega128/registers.h"
#include "chip/atmega128/timer1.h"

enum {
    PULSES = 8,
    PIN_MASK = 1 << PD4,
    TOLERANCE = 12, /* of the length of a pulse, in counts */
};

struct pulse {
    uint32_t begin;
    uint16_t counts;
};

/* Written by the handlers of level 1. */
static volatile uint16_t wraps;
static struct pulse pulses[PULSES];
static volatile uint8_t next_pulse;
static uint32_t begun;

/* Not 0: the entry of the overflow's interrupt has been left to later (lichen/arch.h). */
extern volatile uint8_t deferred_TIMER1_OVF;
__asm__(".global deferred_TIMER1_OVF");

POWER_LIMIT(capture_limit);

#pragma weak capture_time_forget

/* ---------------------------------------------------------------- interrupts */
/* Adds the wraps to a value of the counter that is at most a quarter of a wrap old: the last wrap
 * may not be counted yet, or be younger than the value. With interrupts off, or in a handler. */
static inline __attribute__((always_inline)) uint32_t extend(uint16_t value)
{
    uint16_t before = wraps;
    bool is_counted = deferred_TIMER1_OVF == 0 && !(TIFR & 1 << TOV1);

    if (value < 0x8000u && !is_counted) {
        before++;
    } else if (value >= 0x8000u && is_counted && register_read_16(&TCNT1) < 0x8000u) {
        before--;
    }
    return (uint32_t)before << 16 | value;
}

INTERRUPT(TIMER1_OVF)
{
    wraps++;
}

static inline __attribute__((always_inline)) void keep_pulse(uint16_t end)
{
    struct pulse *pulse = &pulses[next_pulse % PULSES];

    pulse->begin = begun;
    pulse->counts = (uint16_t)(end - (uint16_t)begun);
    next_pulse++;
}

/* If the other edge has come before it was selected, the pulse, or the pause, is left out. */
INTERRUPT(TIMER1_CAPT)
{
    uint16_t at = register_read_16(&ICR1);
    uint8_t control = TCCR1B;
    bool has_risen = control & 1 << ICES1;

    TCCR1B = control ^ 1 << ICES1;
    TIFR = 1 << ICF1;
    if (has_risen) {
        begun = extend(at);
    } else {
        keep_pulse(at);
    }
    if (((PIND & PIN_MASK) != 0) != has_risen) {
        TCCR1B = control;
        TIFR = 1 << ICF1;
    }
}

/* ---------------------------------------------------------------- the kernel level */
void capture_start(void)
{
    power_limit(&capture_limit, CHIP_SLEEP_IDLE);
    if (capture_time_forget != 0) {
        capture_time_forget();
    }
    next_pulse = 0;
    for (uint8_t i = 0; i < PULSES; i++) {
        pulses[i].counts = 0;
    }
    TIFR = 1 << ICF1 | 1 << TOV1;
    register_update(&TIMSK, 1 << TICIE1 | 1 << TOIE1, 1 << TICIE1 | 1 << TOIE1);
    TCCR1B = COUNTER_CLOCK | 1 << ICES1;
}

void capture_stop(void)
{
    register_update(&TIMSK, 1 << TICIE1 | 1 << TOIE1, 0);
    /* The last alarm's interrupt, which may come here, stops the timer itself from now on. */
    if (!counter_has_alarms()) {
        TCCR1B = 0;
    }
    power_unlimit(&capture_limit);
}

uint32_t capture_now(void)
{
    uint8_t status = SREG;

    __asm__ volatile("cli" : : : "memory");
    uint32_t now = extend(TCNT1);
    SREG = status;
    return now;
}

static struct pulse copy_pulse(uint8_t index)
{
    uint8_t status = SREG;

    __asm__ volatile("cli" : : : "memory");
    struct pulse pulse = pulses[index];
    SREG = status;
    return pulse;
}

static bool has_length(uint16_t counts, uint16_t wanted)
{
    return (uint16_t)(counts - wanted + TOLERANCE) <= 2u * TOLERANCE;
}

/* A handler that comes between may put another pulse in the place of the oldest one. */
static void forget(uint8_t index, uint32_t begin)
{
    uint8_t status = SREG;

    __asm__ volatile("cli" : : : "memory");
    if (pulses[index].begin == begin) {
        pulses[index].counts = 0;
    }
    SREG = status;
}

bool capture_find(uint32_t since, uint16_t us, enum capture_which which, uint32_t *begin)
{
    uint16_t wanted = chip_counter_counts(us);
    uint8_t oldest = next_pulse;
    uint8_t found = PULSES;

    for (uint8_t i = 0; i < PULSES; i++) {
        uint8_t index = (uint8_t)(oldest + i) % PULSES;
        if (!has_length(pulses[index].counts, wanted)) {
            continue;
        }
        struct pulse pulse = copy_pulse(index);
        if (has_length(pulse.counts, wanted) && (int32_t)(pulse.begin - since) > 0) {
            found = index;
            *begin = pulse.begin;
            if (which == CAPTURE_OLDEST) {
                break;
            }
        }
    }
    if (found == PULSES) {
        return false;
    }
    forget(found, *begin);
    return true;
}

uint16_t capture_counts(uint16_t us)
{
    return chip_counter_counts(us);
}
