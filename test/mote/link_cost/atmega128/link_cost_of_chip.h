/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter, and cycles at most. */
#ifndef LINK_COST_OF_CHIP_H
#define LINK_COST_OF_CHIP_H

#define CYCLES (&TCNT3)

#define RECEIVE_SHORT 2780
#define RECEIVE_LONG  2780
#define SEND_SHORT    3040
#define SEND_LONG     3720

#endif
