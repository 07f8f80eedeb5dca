/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The watchdog's registers. */
#ifndef ATMEGA128_WATCHDOG_H
#define ATMEGA128_WATCHDOG_H

#include <stdint.h>

/* Starts the watchdog: the chip is reset after 14 ms times 2 to the power of
 * `period`, about, at 5 V, and 17 ms at 3 V.
 * period    0 to 7
 */
void watchdog_run(uint8_t period);

/* Called every 250 ms, if the program has a watchdog. */
struct exception_frame;
__attribute__((weak)) void watchdog_serve(const struct exception_frame *interrupted);

#endif
