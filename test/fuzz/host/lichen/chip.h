/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the network's sources need of a chip (os/chip/chip.h), on the machine that tests are built
 * on. */
#ifndef LICHEN_CHIP_H
#define LICHEN_CHIP_H

#define CHIP_CLOCK_CHANGES       0
#define CHIP_TICK_HZ             32768u
#define CHIP_LATE_TICKS          40u
#define CHIP_SERIAL_NUMBER_BYTES 16

#endif
