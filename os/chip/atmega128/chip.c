/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Start-up and sleep modes of the ATmega128. */
#include "chip/chip.h"

#include "chip/atmega128/registers.h"
#include "chip/atmega128/tick.h"

/* The analog comparator draws current in every sleep mode while it is enabled, as it is after
 * reset.
 */
void chip_init(void)
{
    ACSR = 1 << ACD;
}

/* Here, so that a program without a clock needs none. In the lightest mode, 0, the counter stays in
 * step. */
uint8_t tick_unread;
_Static_assert(CHIP_SLEEP_IDLE == 0, "tick_unread is the mode");

#define MODE_BITS (1 << SM2 | 1 << SM1 | 1 << SM0)

void chip_sleep_select(uint8_t mode)
{
    static const ARCH_FLASH uint8_t bits[CHIP_SLEEP_MODES] = {
        [CHIP_SLEEP_IDLE] = 1 << SE,
        [CHIP_SLEEP_ADC_NOISE_REDUCTION] = 1 << SE | 1 << SM0,
        [CHIP_SLEEP_EXTENDED_STANDBY] = 1 << SE | 1 << SM2 | 1 << SM1 | 1 << SM0,
        [CHIP_SLEEP_POWER_SAVE] = 1 << SE | 1 << SM1 | 1 << SM0,
    };
    tick_unread = mode;
    MCUCR = (uint8_t)((MCUCR & ~(1 << SE | MODE_BITS)) | bits[mode]); /* no interrupt writes it */
}

/* Vectors have no levels, and their sources are enabled where they are. */
void chip_interrupt_enable(unsigned vector, uint8_t level)
{
    (void)vector;
    (void)level;
}
