/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Ticks are loaded in words, of which the lower one wraps. And how long serving takes. */
#ifndef COOP_ALARM_OF_CHIP_H
#define COOP_ALARM_OF_CHIP_H

#define WRAP_BITS  32
#define LAST_CYCLE 1500u
#define STEP       1u

#endif
