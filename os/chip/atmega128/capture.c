/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Times of pulses at PD4, the capture input of timer 1, which counts an eighth of the I/O clock
 * (ATmega128 data sheet, 16-bit Timer/Counter, Input Capture Unit).
 *
 * An interrupt comes with each edge, has the next other edge captured, and keeps the pulse when it
 * is over. The count has 16 bits; its wraps are counted by the interrupt of the overflow.
 *
 * The counter is compared with the system's clock at the beginning of a tick: the counter of ticks
 * is read until it changes. Two comparisons tell how fast the crystals are to each other.
 *
 * Alarms count the same timer (counter.c), which this file links. So a program with a real-time
 * task on RT_TIMER_B does not link.
 */
#include "chip/capture.h"

#include <lichen/assert.h>
#include <lichen/interrupt.h>
#include <lichen/power.h>
#include <lichen/time.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "chip/atmega128/registers.h"
#include "chip/atmega128/timer1.h"

enum {
    PULSES = 8,
    PIN_MASK = 1 << PD4,
    TOLERANCE = 12, /* of the length of a pulse, in counts */
    /* Readings of the counter of ticks follow each other within so many counts, unless an interrupt
     * comes between them. */
    CLOSE_COUNTS = 4,
    ERROR_MAX_US = 32000,
    EDGES = 4,      /* ticks that are waited for at most */
    UNCERTAIN = 2,  /* the first ticks of a wrap take longer to read (tick.c) */
    TICK_SHIFT = 4, /* TIME_PARTS_PER_US is 2^4 */
    HALF_US = 1 << (TICK_SHIFT - 1),
};

/* Counts after which two comparisons tell the ratio of the clocks well enough. */
#define RATIO_COUNTS 500000u

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

/* The counter by the system's clock; at the kernel level. */
static struct {
    bool is_known;
    uint32_t count;
    uint64_t us;
    int32_t excess; /* of the microseconds of a count above one, in 2^-24 */
} mark;

POWER_LIMIT(capture_limit);

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
/* Microseconds of a count above one, in 2^-24, as the crystal should be. */
static int32_t nominal_excess(void)
{
    uint32_t hz = chip_clock_hz();

    assert(hz > 7000000u && hz <= 8000000u);
    return (int32_t)(((8000000u - hz) << 12) / (hz >> 4) << 8);
}

void capture_start(void)
{
    power_limit(&capture_limit, CHIP_SLEEP_IDLE);
    mark.is_known = false;
    mark.excess = nominal_excess();
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

/* Waits for the beginning of a tick. Returns the count then. Only the low byte of the count is read
 * meanwhile, in few cycles: if it has gone further than in a loop, an interrupt came between. */
static uint32_t await_tick(void)
{
    uint8_t edges = EDGES;
    uint8_t tick = TCNT0;
    uint8_t low = TCNT1L;

    for (;;) {
        uint8_t tick_now = TCNT0;
        uint8_t low_now = TCNT1L;
        uint8_t passed = (uint8_t)(low_now - low);
        low = low_now;
        if (tick_now != tick) {
            tick = tick_now;
            if ((passed <= CLOSE_COUNTS && tick >= UNCERTAIN) || --edges == 0) {
                break;
            }
        }
    }
    uint32_t now = capture_now();
    return now - (uint8_t)((uint8_t)now - low);
}

/* The microseconds of some counts. */
static int32_t us_passed(int32_t counts)
{
    return counts + (int32_t)((int64_t)counts * mark.excess >> 24);
}

/* How much longer the counts since the last comparison took than they should have, in parts of
 * them, says how far the ratio is off. */
static void correct(uint32_t passed, uint32_t us)
{
    int32_t error = (int32_t)us - us_passed((int32_t)passed);

    if (error >= -ERROR_MAX_US && error <= ERROR_MAX_US) {
        mark.excess += error * (INT32_C(1) << 16) / (int32_t)(passed >> 8);
    }
}

void capture_compare(void)
{
    uint32_t count = await_tick();
    uint64_t us = ((chip_ticks_take() * TIME_PARTS_PER_TICK) + HALF_US) >> TICK_SHIFT;
    uint32_t passed = count - mark.count;

    if (mark.is_known && passed >= RATIO_COUNTS && passed <= INT32_MAX) {
        correct(passed, (uint32_t)(us - mark.us));
    }
    mark.count = count;
    mark.us = us;
    mark.is_known = true;
}

uint64_t capture_time(uint32_t count)
{
    if (!mark.is_known) {
        capture_compare();
    }
    return mark.us + (uint64_t)(int64_t)us_passed((int32_t)(count - mark.count));
}
