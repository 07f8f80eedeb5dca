/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the chip's sleep modes and its tick share. */
#ifndef ATMEGA128_TICK_H
#define ATMEGA128_TICK_H

#include <stdint.h>

/* Not 0: the counter may not be read before it has been synchronized, since the processor may have
 * slept. Written at the kernel level. */
extern uint8_t tick_unread;

/* In the place of chip_sleep_select in programs that use the tick: not in power-save, if the alarm
 * would come before the processor could wake from it.
 * context   kernel level
 */
void tick_sleep_select(uint8_t mode);

#endif
