/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The 32 kHz crystal of boards that have one (CHIP_CRYSTAL).
 *
 * Generator 2 starts from the internal oscillator and moves to the crystal when that is stable, up
 * to a second after power-on, in its ready interrupt: start-up does not wait for it.
 */
#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/sysctrl.h"

enum {
    XOSC32K_STARTUP_500_MS = 4,
};

/* A board refers to its address, which links this file. */
extern const uint8_t chip_crystal;
const uint8_t chip_crystal = 0;

static void crystal_start(void)
{
    uint16_t control = SYSCTRL_XOSC32K_XTALEN | SYSCTRL_XOSC32K_EN32K | SYSCTRL_XOSC32K_RUNSTDBY |
                       XOSC32K_STARTUP_500_MS << SYSCTRL_XOSC32K_STARTUP_Pos;

    SYSCTRL->XOSC32K = control;
    SYSCTRL->XOSC32K = control | SYSCTRL_XOSC32K_ENABLE;
    SYSCTRL->INTENSET = SYSCTRL_PCLKSR_XOSC32KRDY;
    chip_interrupt_enable(INTERRUPT_SYSCTRL, LEVEL_DRIVER);
}
CLOCK_START(crystal_start);

/* The divider is left as it is: writing it would delay others for as long again. */
INTERRUPT(SYSCTRL)
{
    SYSCTRL->INTENCLR = SYSCTRL_PCLKSR_XOSC32KRDY;
    clock_generator_run(CLOCK_32K, GCLK_SRC_XOSC32K);
}
