/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timer 0 counts the tick, and 8 bits of it: its wraps are counted here by readings, of which no
 * two are 250 ms apart. Reading it does not disturb the kernel. After a deep sleep it would be old,
 * so the mote sleeps in idle mode here. Actors hold the processor by timer 3, whose flag they poll.
 */
#include "../reference.h"

#include <avr/io.h>

#include <lichen/power.h>

#include "chip/chip.h"
#include "force.h"

static const struct force_state ms_1 = {.name = "1_ms", .lasts_ms = 300, .alone = true};
static const struct force_state ms_70 = {.name = "70_ms", .lasts_ms = 600, .alone = true};
static const struct force_state s_2 = {.name = "2_s", .lasts_ms = 6000, .alone = true};

const struct force_state *const force_states[] = {&ms_1, &ms_70, &s_2};

/* How long each state's actors take, ticks. */
static const uint16_t lengths[] = {2, 72, 2100};

/* The longest piece of a hold. */
#define PIECE_TICKS 128u

/* Counts of timer 3 per tick: at the processor's clock divided by 64. */
#define TICK_COUNTS 113u
#define PRESCALE_64 (1 << CS31 | 1 << CS30)

volatile uint64_t free_of_threads;
volatile uint64_t free_of_handlers;
volatile uint64_t held_from;

static uint32_t wraps;
static uint8_t last;

POWER_LIMIT(counts);

void reference_start(void)
{
    power_limit(&counts, CHIP_SLEEP_IDLE);
}

void reference_prepare(void)
{
    free_of_threads = 0;
    free_of_handlers = 0;
    held_from = 0;
}

/* Any actor may read: interrupts are off meanwhile. */
uint64_t reference_now(void)
{
    uint8_t status = SREG;
    __asm__ volatile("cli" : : : "memory");
    uint8_t count = TCNT0;
    wraps += count < last;
    last = count;
    uint32_t whole = wraps;
    SREG = status;
    return (uint64_t)whole << 8 | count;
}

static void hold_for(uint16_t ticks)
{
    TCCR3B = 0;
    TCNT3 = 0;
    OCR3A = (uint16_t)(ticks * TICK_COUNTS);
    ETIFR = 1 << OCF3A;
    TCCR3B = PRESCALE_64;
    while (!(ETIFR & 1 << OCF3A)) {
    }
    TCCR3B = 0;
}

void reference_hold(uint64_t most)
{
    uint16_t left = lengths[force_choice.state];
    left = left < most ? left : (uint16_t)most;
    while (left > 0) {
        uint16_t piece = left < PIECE_TICKS ? left : PIECE_TICKS;
        hold_for(piece);
        (void)reference_now();
        left = (uint16_t)(left - piece);
    }
}
