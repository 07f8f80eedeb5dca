// SPDX-License-Identifier: MIT OR Apache-2.0
/* Reads where nothing is; the handler of the fault waits forever. */
#include "start.h"

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

__attribute__((noinline)) static uint32_t stray(const volatile uint32_t *address)
{
    return *address;
}

void reset_handler(void)
{
    stray((const volatile uint32_t *)0x30000000);
    for (;;)
        ;
}
