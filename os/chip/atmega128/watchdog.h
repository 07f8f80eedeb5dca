/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog's registers. */
#ifndef ATMEGA128_WATCHDOG_H
#define ATMEGA128_WATCHDOG_H

#include <stdint.h>

#include "chip/atmega128/registers.h"

/* Values of WDTCR: the chip is reset after about 14 ms at 5 V and 17 ms at 3 V, or 128 times that.
 */
#define WATCHDOG_SHORTEST (1 << WDE)
#define WATCHDOG_LONGEST  (1 << WDE | 1 << WDP2 | 1 << WDP1 | 1 << WDP0)

/* Starts the watchdog, or starts its time again.
 * run       one of the values above
 * context   init; any, interrupts masked
 */
void watchdog_run(uint8_t run);

/* Called every 250 ms, if the program has a watchdog. */
struct exception_frame;
__attribute__((weak)) void watchdog_serve(const struct exception_frame *interrupted);

#endif
