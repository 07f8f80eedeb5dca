/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Synchronization of threads: each operation against every other, and against posts and semaphores
 * given by interrupts. */
#include <lichen/init.h>

#include "chip/chip.h"
#include "operations.h"

const struct force_operation *const force_operations[] = {
    &operation_lock,   &operation_lock_held, &operation_lock_until,   &operation_try_lock,
    &operation_await,  &operation_signal,    &operation_await_until,  &operation_broadcast,
    &operation_nudge,  &operation_meet,      &operation_meet_until,   &operation_use,
    &operation_unused, &operation_post,      &operation_unused_until, &operation_give,
};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
