/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the chip's sleep modes and its tick share. */
#ifndef ATMEGA128_TICK_H
#define ATMEGA128_TICK_H

#include <stdbool.h>

/* The counter may not be read before it has been synchronized: the processor may have slept.
 * Written at the kernel level. */
extern bool tick_unread;

#endif
