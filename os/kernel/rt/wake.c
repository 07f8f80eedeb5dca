/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Real-time tasks that must not be delayed by the mote's wake-up time. */
#include <lichen/power.h>
#include <lichen/rt.h>

#include "chip/chip.h"

POWER_LIMIT(rt_limit);

/* Value of rt_limit, see POWER_LIMIT: the least of all tasks. */
void rt_wake_within(uint16_t max_wake_us)
{
    uint8_t deepest = chip_sleep_within(max_wake_us);
    if (rt_limit == 0 || deepest + 1u < rt_limit) {
        power_limit(&rt_limit, deepest);
    }
}
