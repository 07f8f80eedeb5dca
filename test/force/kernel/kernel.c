/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel's operations, each against every other. */
#include <lichen/init.h>

#include "chip/chip.h"
#include "operations.h"

const struct force_operation *const force_operations[] = {
    &operation_post,       &operation_post_two,     &operation_wake,  &operation_wait,
    &operation_wait_until, &operation_wait_timeout, &operation_give,  &operation_take,
    &operation_try,        &operation_take_until,   &operation_yield, &operation_arm,
    &operation_cancel,     &operation_sleep,
};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
