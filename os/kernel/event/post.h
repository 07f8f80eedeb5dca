/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Posts made at the kernel level itself. */
#ifndef KERNEL_EVENT_POST_H
#define KERNEL_EVENT_POST_H

#include <lichen/event.h>

/* Posts an event.
 * context   event
 */
void event_post_service(void *event);

#endif
