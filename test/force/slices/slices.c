/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Slices of equals against each other and against posts. */
#include <lichen/init.h>

#include "chip/chip.h"
#include "slices.h"

const struct force_operation *const force_operations[] = {
    &operation_compute,
    &operation_post,
};

/* At a slower clock, a slice has fewer instructions. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
