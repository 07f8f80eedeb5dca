/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which sleep mode is chosen (frame/samr21/sleep_mode.h has the names). */
#ifndef TEST_MOTE_FRAME_SLEEP_MODE_H
#define TEST_MOTE_FRAME_SLEEP_MODE_H

#include <avr/io.h>
#include <stdint.h>

/* Power-save, and idle. */
#define SLEEP_DEEPEST  3u
#define SLEEP_COUNTING 0u

/* From power-save it takes 2.2 ms. */
#define PATIENT_US  2300
#define HASTY_US    12
#define SLEEP_HASTY 2u

/* By number. */
#define SLEEP_NAMES                                                                                \
    {                                                                                              \
        "idle", "ADC noise reduction", "extended standby", "power-save"                            \
    }

static inline unsigned sleep_mode(void)
{
    switch (MCUCR & (1 << SM2 | 1 << SM1 | 1 << SM0)) {
    case 0:
        return 0;
    case 1 << SM0:
        return 1;
    case 1 << SM2 | 1 << SM1 | 1 << SM0:
        return 2;
    default:
        return 3;
    }
}

#endif
