/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Ends in a panic when its one word is overwritten; the value selects the cause and the place. The
 * panic's report then faults, which inside a fault locks the processor up, or hangs. The record of
 * the first cause must be complete, and the mote must start again.
 */
#include <lichen/assert.h>
#include <lichen/event.h>
#include <lichen/panic.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "corrupt.h"

#define NOWHERE ((volatile uint32_t *)0x30000000)

volatile uint32_t own;
volatile uint32_t only = 2;

PANIC_WRITE(text, length)
{
    (void)text;
    (void)length;
    if (only % 2 != 0) {
        *NOWHERE = 1;
    }
    for (;;) {
    }
}

EVENT(fails)
{
    assert(only == 0);
    *NOWHERE = 1;
}

THREAD(rounds, 256, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(1);
        own++;
        corrupt_round();
        if (only == 0 || only == UINT32_MAX) {
            event_post(&fails);
        }
        assert(only < UINT32_C(0x30000000));
        if (only != 2) {
            *NOWHERE = 1;
        }
    }
}
