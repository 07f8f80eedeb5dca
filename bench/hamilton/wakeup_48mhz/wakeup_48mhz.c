/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One wake-up with nothing to do, at 48 MHz. */
#include "chip/chip.h"

#include "../period.h"

THREAD(sleeper, 256, PRIORITY_APP)
{
    chip_clock_set(CHIP_CLOCK_48_MHZ);
    sleep_periodically();
}
