/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog in a panic (ATmega128 data sheet, Watchdog Timer). */
#include "chip/chip.h"

#include "chip/atmega128/registers.h"
#include "chip/atmega128/watchdog.h"

/* The second store must come within four cycles of the first. */
void watchdog_run(uint8_t run)
{
    uint8_t change = 1 << WDCE | 1 << WDE;

    __asm__ volatile("wdr\n\t"
                     "out %0, %1\n\t"
                     "out %0, %2"
                     :
                     : "I"(_SFR_IO_ADDR(WDTCR)), "r"(change), "r"(run)
                     : "memory");
}

void chip_watchdog_arm(void)
{
    watchdog_run(WATCHDOG_LONGEST);
}

void chip_watchdog_stop(void)
{
    uint8_t change = 1 << WDCE | 1 << WDE;

    __asm__ volatile("wdr\n\t"
                     "out %0, %1\n\t"
                     "out %0, __zero_reg__"
                     :
                     : "I"(_SFR_IO_ADDR(WDTCR)), "r"(change)
                     : "memory");
}
