/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Operations on threads and the messages that they send: each against every other and against
 * posts. */
#include <lichen/init.h>

#include "chip/chip.h"
#include "operations.h"

const struct force_operation *const force_operations[] = {
    &operation_start,   &operation_join,     &operation_join_until,   &operation_pause,
    &operation_resume,  &operation_destroy,  &operation_set_priority, &operation_create,
    &operation_send,    &operation_receive,  &operation_send_until,   &operation_receive_until,
    &operation_collect, &operation_try_send, &operation_try_receive,  &operation_sample,
    &operation_look,    &operation_post,
};

/* At a slower clock, fewer instructions are spent on polling. */
static void slow_down(void)
{
    chip_clock_set(SLOW_CLOCK);
}
INIT(slow_down);
