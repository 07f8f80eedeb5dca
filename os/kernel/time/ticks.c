/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The tick runs in programs that use the time or alarms: they NEED ticks_start, of which only the
 * address is used. */
#include "chip/chip.h"
#include "kernel/start.h"

extern const uint8_t ticks_start;
const uint8_t ticks_start = 0;

START(chip_ticks_start);

/* In programs that use the time, and nothing that waits for it. */
void ticks_nothing(const uint64_t *tick);
void ticks_nothing(const uint64_t *tick)
{
    (void)tick;
}
