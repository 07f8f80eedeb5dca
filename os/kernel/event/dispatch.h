/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel level's main work, for architectures that do not do it in assembly. */
#ifndef KERNEL_EVENT_DISPATCH_H
#define KERNEL_EVENT_DISPATCH_H

/* Runs and delivers all that has been posted, the most urgent level first, and what is posted
 * meanwhile.
 * context   event: the kernel level, outside of any event
 */
void kernel_deliver(void);

#endif
