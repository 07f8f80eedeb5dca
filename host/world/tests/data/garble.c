// SPDX-License-Identifier: MIT OR Apache-2.0
/* Prints at a rate that is not the board's. */
#include "start.h"

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
    console_open(BAUD_100000);
    print("hello\n");
    for (;;)
        __asm__ volatile("wfi");
}
