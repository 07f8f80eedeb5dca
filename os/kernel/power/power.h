/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Decides how deep to sleep. */
#ifndef KERNEL_POWER_POWER_H
#define KERNEL_POWER_POWER_H

/* Prepares the deepest sleep that all drivers allow, for the next wait. Called at the kernel level
 * each time it ends and nothing is ready.
 * cost      O(n) limits
 */
void power_prepare(void);

/* The same by another name, for prepare_counting.c, whose power_prepare replaces this one's weak
 * alias. */
void power_choose(void);

/* The same before each wait in programs without a kernel level; in the others, nothing.
 * cost      O(n) limits
 */
void power_prepare_alone(void);

#endif
