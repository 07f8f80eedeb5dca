/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the chip's sleep modes and its tick share. */
#ifndef ATMEGA128_TICK_H
#define ATMEGA128_TICK_H

#include <stdint.h>

/* Not 0: the counter may not be read before it has been synchronized, since the processor may have
 * slept. Written at the kernel level. */
extern uint8_t tick_unread;

#endif
