/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog in a panic (SAM R21 data sheet, section WDT). Programs that do not use the watchdog
 * start its clock only here, since that takes longer than the rest of start-up.
 *
 * A write while another one crosses clock domains would stall the bus. If a clear is already
 * crossing, no second one is needed.
 */
#include "chip/chip.h"

#include "chip/samr21/clock.h"
#include "chip/samr21/reg/gclk.h"
#include "chip/samr21/reg/wdt.h"

/* How many times the status is read for a generator that was changing when the program failed.
 */
#define POLLS 20000u

void chip_watchdog_arm(void)
{
    if (!(WDT->CTRL & (WDT_CTRL_ENABLE | WDT_CTRL_ALWAYSON))) {
        for (unsigned polls = 0; polls < POLLS && (GCLK->STATUS & GCLK_STATUS_SYNCBUSY); polls++) {
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
