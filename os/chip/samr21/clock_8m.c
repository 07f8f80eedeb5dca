/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The generator of serial ports and timers, in programs that have one of them. */
#include "chip/samr21/clock.h"
#include "chip/samr21/reg/gclk.h"

/* Users refer to its address, which links this file. */
extern const uint8_t clock_8m;
const uint8_t clock_8m = 0;

static void clock_8m_start(void)
{
    clock_generator_start(CLOCK_8M, GCLK_SRC_OSC8M, 1);
}
CLOCK_START(clock_8m_start);
