/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The processor's clock of programs whose manifest fixes it, `[build] clock`: from the start-up of
 * the generators on, since chip and board drive wires bit by bit before, at 8 MHz. */
#include "chip/chip.h"
#include "chip/samr21/clock.h"

/* The build refers to it, which links this file: os/lichen.cmake. */
extern const uint8_t clock_fixed;
const uint8_t clock_fixed = 0;

static void clock_fix(void)
{
    clock_begin(LICHEN_CLOCK_FIXED);
}
CLOCK_START(clock_fix);
