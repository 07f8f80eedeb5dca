/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter, and cycles at most. */
#ifndef LINK_COST_OF_CHIP_H
#define LINK_COST_OF_CHIP_H

#define CYCLES ((const volatile unsigned *)(uintptr_t)&chip_cycle_counter)

#define RECEIVE_SHORT 2350
#define RECEIVE_LONG  2350
#define SEND_SHORT    2580
#define SEND_LONG     3370

#endif
