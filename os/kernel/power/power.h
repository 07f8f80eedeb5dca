/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Decides how deep to sleep. */
#ifndef KERNEL_POWER_POWER_H
#define KERNEL_POWER_POWER_H

#include <stdint.h>

/* Prepares the deepest sleep that all drivers allow, for the next wait. Called at the kernel level
 * each time it ends and nothing is ready.
 * cost      O(n) limits
 */
void power_prepare(void);

/* What that is in programs without limits, in those that have some, and in those that ask how often
 * each depth was chosen. */
void power_choose(void);
void power_choose_limited(void);
void power_choose_counting(void);

/* What clock.c has in the place of chip_sleep_prepare. */
void power_sleep_slowly(uint8_t mode);

/* The same before each wait in programs without a kernel level; in the others, which have chosen
 * when that last ended, nothing.
 * cost      O(n) limits
 */
void power_prepare_alone(void);

#endif
