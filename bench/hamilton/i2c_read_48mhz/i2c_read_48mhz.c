/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A read of four bytes by I2C, at 48 MHz. */
#include "chip/chip.h"

#include "../reads.h"

THREAD(reader, 512, PRIORITY_APP)
{
    chip_clock_set(CHIP_CLOCK_48_MHZ);
    read_periodically();
}
