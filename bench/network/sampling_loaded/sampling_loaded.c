/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sampling beside the radio task of the paper: 12.5 us every 26 us. On the ATmega128, where a task
 * of priority 1 has other costs, it runs as often as it can, some 25,000 times a second.
 */
#include "../sampling.h"

/* Of three cycles. With what the processor takes for the interrupt, 12.5 us. */
#define TURNS (ARCH_FLASH_IS_APART ? 8 : 30)

RT_TASK(radio, RT_TIMER_B, .priority = 1, .period_us = 26, .deadline_us = 26, .wcet_cycles = 100)
{
    rt_acknowledge();
    for (uint8_t i = TURNS; i > 0; i--) {
        __asm__ volatile("");
    }
}

THREAD(sweep, 256, PRIORITY_LOW)
{
    sample_start();
    rt_period_start(radio);
    sweep_phases();
}
