/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Timer 1, which alarms (counter.c) and captures (capture.c) count together. It runs while TICIE1
 * is set, which is the captures', or there are alarms. */
#ifndef ATMEGA128_TIMER1_H
#define ATMEGA128_TIMER1_H

#include <stdbool.h>

#include "chip/atmega128/registers.h"

enum { COUNTER_CLOCK = 1 << CS11 }; /* an eighth of the I/O clock */

/* Whether alarms keep the counter running.
 * context   event
 */
bool counter_has_alarms(void);

#endif
