/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Periodic and relative timers: each way of arming and cancelling against every other, and against
 * a sleep limit. */
#include <lichen/init.h>

#include "chip/chip.h"
#include "timers.h"

const struct force_operation *const force_operations[] = {
    &operation_every, &operation_after, &operation_stop, &operation_limit, &operation_rest,
};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
