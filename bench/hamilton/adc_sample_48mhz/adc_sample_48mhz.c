/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A sample of the converter, at 48 MHz. */
#include "chip/chip.h"

#include "../samples.h"

THREAD(sampler, 256, PRIORITY_APP)
{
    chip_clock_set(CHIP_CLOCK_48_MHZ);
    sample_periodically();
}
