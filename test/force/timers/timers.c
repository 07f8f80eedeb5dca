/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Periodic timers and those armed for a while from now, each way of arming and cancelling against
 * each, and against a limit to the depth of sleep. */
#include <lichen/init.h>

#include "chip/chip.h"
#include "timers.h"

const struct force_operation *const force_operations[] = {
    &operation_every,
    &operation_after,
    &operation_stop,
    &operation_limit,
};

/* The slower the processor, the fewer instructions poll a clock. */
static void slow_down(void)
{
    chip_clock_set(CHIP_CLOCK_4_MHZ);
}
INIT(slow_down);
