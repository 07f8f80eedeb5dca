/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The slice timer: timer 2, at the processor's clock divided by 256, so it stands still while the
 * processor sleeps. In a separate file, which programs without threads do not link. */
#include "arch/arch.h"

#include <lichen/interrupt.h>

#include "chip/atmega128/registers.h"
#include "chip/atmega128/serve.h"

#define PRESCALE_256 (1 << CS22)
#define SHIFT        8

__asm__(".global chip_serve");

/* Also in slice_restart (lichen/vectors.h): steps of a slice after the first one; and whether a
 * slice has ended, but the kernel has not been told. */
uint8_t slice_whole;
volatile uint8_t slice_over;

/* Not 0: the entry of the match's interrupt has been left to later (lichen/arch.h), as it came
 * while the kernel level was on a thread's stack. */
extern volatile uint8_t deferred_TIMER2_COMP;
__asm__(".global deferred_TIMER2_COMP");

/* A match comes before the timer stands, or not at all: its interrupt, which nothing disables, is
 * served at once, or deferred. */
static void stop(void)
{
    TCCR2 = 0;
}

/* Whether a slice has ended that nobody has been told of. From now on it has not. */
static bool take_over(void)
{
    bool over = (slice_over | deferred_TIMER2_COMP) != 0;
    slice_over = 0;
    deferred_TIMER2_COMP = 0;
    return over;
}

void arch_slice_start(uint32_t left, uint32_t cycles)
{
    slice_whole = (uint8_t)((cycles >> SHIFT) - 1);
    uint8_t steps = (uint8_t)(left >> SHIFT);
    stop();
    (void)take_over();
    TCNT2 = 0;
    /* A match with 0 would be blocked by the write of TCNT2, and the counter would run to its end.
     */
    OCR2 = steps > 1 ? (uint8_t)(steps - 1) : 1;
    TIFR = 1 << OCF2;
    if (!(TIMSK & 1 << OCIE2)) {
        register_update(&TIMSK, 1 << OCIE2, 1 << OCIE2);
    }
    TCCR2 = 1 << WGM21 | PRESCALE_256;
}

uint32_t arch_slice_stop(void)
{
    bool running = TCCR2 != 0;
    stop();
    if (take_over() || !running) {
        return 0;
    }
    return (uint32_t)(OCR2 + 1u - TCNT2) << SHIFT;
}

INTERRUPT(TIMER2_COMP)
{
    OCR2 = slice_whole;
    slice_over = 1;
    arch_kernel_request_from(LEVEL_DRIVER);
}

void slice_serve(void)
{
    if (slice_over) {
        slice_over = 0;
        kernel_slice();
    }
}
