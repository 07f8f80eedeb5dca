// SPDX-License-Identifier: MIT OR Apache-2.0
/* Asks the board's radio for two words, and goes on whatever it answers. */
#include "start.h"

#define SERCOM4          0x42001800
#define SERCOM4_CTRLA    REG32(SERCOM4 + 0x00)
#define SERCOM4_INTFLAG  REG8(SERCOM4 + 0x18)
#define SERCOM4_SYNCBUSY REG32(SERCOM4 + 0x1C)
#define SERCOM4_DATA     REG16(SERCOM4 + 0x28)
#define PORTB_PMUX       (&REG8(0x410044B0))
#define PORTB_PINCFG     (&REG8(0x410044C0))

void hard_fault_handler(void)
{
    for (;;)
        ;
}

void systick_handler(void)
{
}

void sercom0_handler(void)
{
}

void reset_handler(void)
{
    console_open(BAUD_115200);
    PM_APBCMASK |= 1u << 6;
    GCLK_CLKCTRL = 1u << 14 | 24;
    PORTB_PMUX[15] = 5;
    PORTB_PINCFG[30] = 1;
    SERCOM4_CTRLA = 1u << 16 | 3u << 2 | 1u << 1;
    while (SERCOM4_SYNCBUSY)
        ;
    for (int word = 0; word < 2; word++) {
        SERCOM4_DATA = 0x80;
        while (!(SERCOM4_INTFLAG & 2))
            ;
    }
    print("asked\n");
    for (;;)
        __asm__ volatile("wfi");
}
