/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Whether the watchdog's reset was asked for. */
#ifndef ATMEGA128_RESET_H
#define ATMEGA128_RESET_H

#include <stdint.h>

/* Survives a reset. */
extern uint16_t reset_asked;
#define RESET_ASKED 0x5245u

#endif
