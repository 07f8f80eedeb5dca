/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The decision how deep to sleep. */
#ifndef KERNEL_POWER_POWER_H
#define KERNEL_POWER_POWER_H

/* Prepares the deepest sleep that all drivers allow, for the next wait. Called at the kernel
 * level each time the idle thread is about to run; without threads, by the main loop before it
 * waits.
 * cost      O(n) limits
 */
void power_prepare(void);

#endif
