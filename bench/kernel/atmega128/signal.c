/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timer 1 as a periodic interrupt. */
#include "signal.h"

void signal_start_silent(uint16_t cycles)
{
    OCR1A = (uint16_t)(cycles - 1u);
    TCNT1 = 0;
    TCCR1B = 1 << WGM12 | 1 << CS10;
}

void signal_start(uint16_t cycles)
{
    TIMSK |= 1 << OCIE1A;
    signal_start_silent(cycles);
}
