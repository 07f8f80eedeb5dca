/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interval of the readings, in a file of its own, so that a benchmark can have another one. */
#ifndef SENSE_PERIOD_H
#define SENSE_PERIOD_H

#include <stdint.h>

/* Microseconds from one round to the next. */
extern const uint32_t sense_period_us;

#endif
