/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel level: events, and the threads below it. Every declaration of an event, a notification
 * or a thread pulls it in; a program without one does not link it.
 */
#ifndef KERNEL_LEVEL_H
#define KERNEL_LEVEL_H

/* Ends start-up and enters the kernel level and the first thread. 0 in a program that has neither
 * events nor threads.
 * context   init, once
 */
_Noreturn __attribute__((weak)) void kernel_level(void);

#endif
