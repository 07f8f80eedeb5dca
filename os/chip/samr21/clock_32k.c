/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The generator of the tick and edge detection, in programs that have one of them. */
#include "chip/samr21/clock.h"
#include "chip/samr21/reg/gclk.h"

/* Users refer to its address, which links this file. */
extern const uint8_t clock_32k;
const uint8_t clock_32k = 0;

static void clock_32k_start(void)
{
    clock_generator_start(CLOCK_32K, GCLK_SRC_OSCULP32K, 1);
}
CLOCK_START(clock_32k_start);
