/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a chip offers to drivers of parts on a 1-Wire line: slots on a pin that is pulled up, and is
 * driven low or released. The processor waits meanwhile. An interrupt within a slot makes it
 * longer, which the driver must expect.
 */
#ifndef CHIP_ONE_WIRE_H
#define CHIP_ONE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include <lichen/error.h>

/* Resets the parts on the line. Takes 1 ms.
 * returns   0: one answers; ERR_EMPTY: none does; ERR_IO: the line is held low
 */
MUST_CHECK int one_wire_reset(uint8_t pin);

/* Sends, or receives, a bit. Takes 70 us. */
void one_wire_write(uint8_t pin, bool bit);
bool one_wire_read(uint8_t pin);

#endif
