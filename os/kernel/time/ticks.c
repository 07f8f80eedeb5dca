/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick runs in programs that ask for the time or for alarms: they NEED ticks_start, whose
 * address is all that there is of it. */
#include "chip/chip.h"
#include "kernel/start.h"

extern const uint8_t ticks_start;
const uint8_t ticks_start = 0;

START(chip_ticks_start);
