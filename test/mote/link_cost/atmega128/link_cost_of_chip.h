/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The counter, and cycles at most. */
#ifndef LINK_COST_OF_CHIP_H
#define LINK_COST_OF_CHIP_H

#define CYCLES (&TCNT1)

#define RECEIVE_SHORT 4210
#define RECEIVE_LONG  4210
#define SEND_SHORT    4690
#define SEND_LONG     5800

#endif
