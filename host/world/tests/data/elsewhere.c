// SPDX-License-Identifier: MIT OR Apache-2.0
/* Prints on a pin where the board has nothing, PB22 (SERCOM5, PAD[2]), and tells whether the
 * console's receive line rests high.
 */
#include "start.h"

#define SERCOM5 0x42001C00
#define PORT_IN (&REG8(0x41004420))

void hard_fault_handler(void)
{
}
void systick_handler(void)
{
}
void sercom0_handler(void)
{
}

void reset_handler(void)
{
    SYSCTRL_OSC8M &= ~(3u << 8);
    PM_APBCMASK |= 1u << 7;
    GCLK_CLKCTRL = 1u << 14 | 25;
    REG8(0x410044B0 + 11) = 0x03; /* PMUX of PB22: function D */
    REG8(0x410044C0 + 22) = 1;
    PORT_PINCFG[5] = 2; /* input, no pull */
    REG16(SERCOM5 + 0x0C) = BAUD_115200;
    REG32(SERCOM5 + 0x04) = 1u << 16;
    while (REG32(SERCOM5 + 0x1C))
        ;
    REG32(SERCOM5) = 1u << 30 | 1u << 16 | 1u << 2 | 1u << 1;
    while (REG32(SERCOM5 + 0x1C))
        ;
    for (const char *text = PORT_IN[0] & 1u << 5 ? "high\n" : "low\n"; *text; text++) {
        while (!(REG8(SERCOM5 + 0x18) & 1))
            ;
        REG16(SERCOM5 + 0x28) = *text;
    }
    for (;;)
        __asm__ volatile("wfi");
}
