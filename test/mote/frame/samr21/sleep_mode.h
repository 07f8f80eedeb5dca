/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which sleep mode is chosen: the chip's registers keep it when the processor runs again. The same
 * names for every chip; modes are numbered as CHIP_SLEEP_ of the chip's contract.
 */
#ifndef TEST_MOTE_FRAME_SLEEP_MODE_H
#define TEST_MOTE_FRAME_SLEEP_MODE_H

#include <stdint.h>

#define SCB_SCR           (*(volatile uint32_t *)0xe000ed10u)
#define SCB_SCR_SLEEPDEEP (1u << 2)
#define PM_SLEEP          (*(volatile uint8_t *)0x40000401u)

/* STANDBY, and the deepest mode in which timers of real-time tasks count. */
#define SLEEP_DEEPEST  3u
#define SLEEP_COUNTING 2u

/* Wake times, and the deepest mode that the shorter one allows: IDLE0 takes 4 us, IDLE1 13. */
#define PATIENT_US  19
#define HASTY_US    12
#define SLEEP_HASTY 0u

/* By number. */
#define SLEEP_NAMES                                                                                \
    {                                                                                              \
        "idle0", "idle1", "idle2", "standby"                                                       \
    }

static inline unsigned sleep_mode(void)
{
    return SCB_SCR & SCB_SCR_SLEEPDEEP ? SLEEP_DEEPEST : PM_SLEEP;
}

#endif
