/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter, and cycles at most. */
#ifndef LINK_COST_OF_CHIP_H
#define LINK_COST_OF_CHIP_H

#define CYCLES (&TCNT1)

#define RECEIVE_SHORT 3160
#define RECEIVE_LONG  3160
#define SEND_SHORT    3340
#define SEND_LONG     4440

#endif
