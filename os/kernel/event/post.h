/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Posts made at the kernel level itself, and what it does with all posts. */
#ifndef KERNEL_EVENT_POST_H
#define KERNEL_EVENT_POST_H

#include <lichen/event.h>

/* Posts an event.
 * context   event
 */
void event_post_service(void *event);

/* Runs and delivers all that has been posted, the most urgent level first, and what is posted
 * meanwhile. For architectures that do not do it in assembly.
 * context   event: the kernel level, outside of any event
 */
void kernel_deliver(void);

#endif
