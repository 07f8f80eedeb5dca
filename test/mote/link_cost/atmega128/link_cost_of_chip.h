/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cycles at most. */
#ifndef LINK_COST_OF_CHIP_H
#define LINK_COST_OF_CHIP_H

#define RECEIVE_SHORT 3620
#define RECEIVE_LONG  3620
#define SEND_SHORT    4140
#define SEND_LONG     4830

#endif
