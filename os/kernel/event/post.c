/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Posts from threads and from the kernel level itself: both are made at the kernel level, whose
 * ring has no other writer.
 */
#include <lichen/event.h>

#include "arch/arch.h"

static int post(void *argument)
{
    event_post_from(argument, ARCH_LEVEL_KERNEL);
    return 0;
}

void event_post(struct event *event)
{
    if (arch_in_thread()) {
        (void)arch_kernel_call(post, event);
    } else {
        (void)post(event);
    }
}
