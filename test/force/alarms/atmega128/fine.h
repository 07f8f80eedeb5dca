/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A clock for the laws, which counts what alarms count (alarms/samr21/fine.h has the names): timer
 * 3 of the ATmega128, in steps of 8 cycles. */
#ifndef TEST_FORCE_ALARMS_FINE_H
#define TEST_FORCE_ALARMS_FINE_H

#include <stdint.h>

#include "chip/atmega128/registers.h"

#define FINE_OF_US(us) ((uint16_t)((us)*UINT32_C(9216) / 10000u))

static inline void fine_start(void)
{
    TCCR3B = 1 << CS31;
}

static inline uint16_t fine_now(void)
{
    return register_read_16(&TCNT3);
}

static inline void fine_hold(uint16_t counts)
{
    register_write_16(&OCR3A, (uint16_t)(fine_now() + counts));
    ETIFR = 1 << OCF3A;
    while ((ETIFR & 1 << OCF3A) == 0) {
    }
}

#endif
