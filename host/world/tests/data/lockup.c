// SPDX-License-Identifier: MIT OR Apache-2.0
/* Faults, and faults again in the handler of the fault. */
#include "start.h"

void hard_fault_handler(void)
{
    __asm__ volatile("udf #1");
}
void systick_handler(void)
{
}
void sercom0_handler(void)
{
}

void reset_handler(void)
{
    __asm__ volatile("udf #0");
    for (;;)
        ;
}
