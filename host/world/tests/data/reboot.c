// SPDX-License-Identifier: MIT OR Apache-2.0
/* Blinks once and faults; the handler of the fault resets the chip. */
#include "start.h"

#define SCB_AIRCR REG32(0xE000ED0C)

void hard_fault_handler(void)
{
    SCB_AIRCR = 0x05FA0004;
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
    PORT_DIRSET = LED;
    PORT_OUTTGL = LED;
    (void)REG32(0x30000000);
}
