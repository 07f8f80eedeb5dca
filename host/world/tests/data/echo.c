// SPDX-License-Identifier: MIT OR Apache-2.0
/* Greets, sends back what comes, toggles the LED each 100 ms, sleeps between. */
#include "start.h"

void hard_fault_handler(void)
{
    for (;;)
        ;
}

void systick_handler(void)
{
    PORT_OUTTGL = LED;
}

void sercom0_handler(void)
{
    SERCOM0_DATA = SERCOM0_DATA;
}

void reset_handler(void)
{
    console_open(BAUD_115200);
    print("hello\n");
    SERCOM0_INTENSET = 1 << 2;
    NVIC_ISER = 1 << 9;
    PORT_DIRSET = LED;
    SYST_RVR = 800000 - 1;
    SYST_CVR = 0;
    SYST_CSR = 7;
    for (;;)
        __asm__ volatile("wfi");
}
