/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter, and cycles at most. */
#ifndef LINK_COST_OF_CHIP_H
#define LINK_COST_OF_CHIP_H

#define CYCLES ((const volatile unsigned *)(uintptr_t)&chip_cycle_counter)

#define RECEIVE_SHORT 2820
#define RECEIVE_LONG  2820
#define SEND_SHORT    3070
#define SEND_LONG     4090

#endif
