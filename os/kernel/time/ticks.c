/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick runs in programs that ask for the time or for alarms: they NEED ticks_start. */
#include "kernel/time/ticks.h"

#include "chip/chip.h"
#include "kernel/start.h"

void ticks_start(void)
{
    chip_ticks_start();
}
START(ticks_start);
