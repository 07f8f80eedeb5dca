/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The processor's clock: the board's crystal. */
#include "chip/chip.h"

#include "chip/atmega128/wiring.h"

uint32_t chip_clock_hz(void)
{
    return board_main_hz;
}

/* There is one frequency. */
void chip_clock_set(enum chip_clock clock)
{
    (void)clock;
}
