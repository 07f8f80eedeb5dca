/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How often the sensors are read: a file of its own, so that a benchmark can have other values. */
#ifndef SENSE_PERIOD_H
#define SENSE_PERIOD_H

#include <stdint.h>

/* Microseconds from one round to the next. */
extern const uint32_t sense_period_us;

/* Milliseconds: what was measured in the same round is not older. */
extern const uint16_t sense_round_ms;

#endif
