/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Start-up order and sleep modes of the SAM R21. */
#include "chip/chip.h"

#include "chip/samr21/clock.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/radio.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/tick.h"

void chip_init(void)
{
    clock_init();
    radio_sleep();
}

void chip_sleep_select(uint8_t mode)
{
    if (mode == CHIP_SLEEP_STANDBY) {
        SCB_SCR = SCB_SCR_SLEEPDEEP;
    } else {
        PM->SLEEP = mode;
        SCB_SCR = 0;
    }
}
