/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog in a panic (SAM R21 data sheet, section WDT). Where the program has none, its clock
 * is started here, as that takes longer than all else at start-up.
 *
 * A write that finds another one crossing clock domains would hold the bus. A clear that is
 * crossing serves as well as one more.
 */
#include "chip/chip.h"

#include "chip/samr21/clock.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/wdt.h"

/* A generator that was changing when the program went wrong has this many looks to come to an end.
 */
#define LOOKS 20000u

void chip_watchdog_arm(void)
{
    if (!(WDT->CTRL & (WDT_CTRL_ENABLE | WDT_CTRL_ALWAYSON))) {
        for (unsigned look = 0; look < LOOKS && (GCLK->STATUS & GCLK_STATUS_SYNCBUSY); look++) {
        }
        clock_start_watchdog();
        WDT->CONFIG = WDT_CYCLES_2048;
        WDT->CTRL = WDT_CTRL_ENABLE;
    } else if (!(WDT->STATUS & WDT_STATUS_SYNCBUSY)) {
        WDT->CLEAR = WDT_CLEAR_KEY;
    }
}

void chip_watchdog_stop(void)
{
    if (WDT->CTRL & WDT_CTRL_ENABLE) {
        WDT->CTRL = 0;
    }
}
