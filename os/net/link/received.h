/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Between the event level and net-main. */
#ifndef NET_LINK_RECEIVED_H
#define NET_LINK_RECEIVED_H

#include <stdbool.h>

/* The driver may have packets for which there was no place. Set by the event, cleared by net-main.
 */
extern bool link_holds_back;

#endif
