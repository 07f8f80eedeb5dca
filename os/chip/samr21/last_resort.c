/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog in a panic (SAM R21 data sheet, section WDT). Its clock is connected at start-up, so
 * nothing here waits for one.
 *
 * A write that finds another one crossing clock domains would hold the bus. A clear that is
 * crossing serves as well as one more.
 */
#include "chip/chip.h"

#include "chip/samr21/reg/wdt.h"

void chip_watchdog_arm(void)
{
    if (!(WDT->CTRL & (WDT_CTRL_ENABLE | WDT_CTRL_ALWAYSON))) {
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
