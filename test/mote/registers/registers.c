/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers that threads and events share: a thread sets its part of a register again and again,
 * and at each cycle of this an interrupt posts an event that sets another part. Neither change may
 * be lost.
 */
#include "registers.h"

#include <lichen/event.h>
#include <lichen/interrupt.h>

#include "timed_interrupt.h"

/* The event's part of the test, alternating. */
static void (*volatile change)(bool odd);
static volatile bool odd;
static volatile unsigned changes;

EVENT(interrupts)
{
    odd = !odd;
    change(odd);
    changes++;
}

TIMED_INTERRUPT()
{
    event_post_from(&interrupts, LEVEL_DRIVER);
}

void sweep(void (*by_thread)(bool odd), void (*by_event)(bool odd),
           void (*check)(bool threads, bool events), uint16_t cycles)
{
    timed_interrupt_enable();
    change = by_event;
    bool mine = false;
    for (uint16_t cycle = 1; cycle < cycles; cycle++) {
        for (unsigned repeat = 0; repeat < 2; repeat++) {
            unsigned before = changes;
            mine = !mine;
            timed_interrupt_in(cycle);
            by_thread(mine);
            while (changes == before) {
            }
            check(mine, odd);
        }
    }
}
