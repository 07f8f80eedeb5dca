/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cycles at most. */
#ifndef LINK_COST_OF_CHIP_H
#define LINK_COST_OF_CHIP_H

#define RECEIVE_SHORT 2820
#define RECEIVE_LONG  2820
#define SEND_SHORT    3070
#define SEND_LONG     4090

#endif
