/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Simulator benchmark: firmware that does little else than wait for a flag.
 *
 * A timer sets its flag each millisecond; a loop of three instructions polls for it, as drivers
 * without interrupts do. The simulator skips such loops, so this does not measure how fast it
 * executes instructions. Never ends; the length of the run is given in time. */

#include <stdint.h>

#include "signal.h"

/* Processor cycles from one flag to the next. */
#define PERIOD_CYCLES 48000

/* Completed rounds, for an observer. */
volatile uint32_t rounds;

int main(void)
{
    signal_start_silent(PERIOD_CYCLES);
    for (;;) {
        while (!signal_is_set()) {
        }
        signal_clear();
        rounds++;
    }
}
