// SPDX-License-Identifier: MIT OR Apache-2.0
/* Reads where nothing is; the handler returns and changes nothing, so the read comes again. */
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
    (void)REG32(0x30000000);
    for (;;)
        ;
}
