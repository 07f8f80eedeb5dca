/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cycles at most. */
#ifndef LINK_COST_OF_CHIP_H
#define LINK_COST_OF_CHIP_H

#define RECEIVE_SHORT 2640
#define RECEIVE_LONG  2640
#define SEND_SHORT    3020
#define SEND_LONG     3800

#endif
