/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Ticks are loaded in bytes, of which the lower three wrap. And how long
 * serving takes; after that the mote sleeps. */
#ifndef COOP_ALARM_OF_CHIP_H
#define COOP_ALARM_OF_CHIP_H

#define WRAP_BITS  24
#define LAST_CYCLE 4900u
#define STEP       2u

#endif
