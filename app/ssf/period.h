/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The logging period, in a file of its own, so that a benchmark can have another one. */
#ifndef SSF_PERIOD_H
#define SSF_PERIOD_H

#include <stdint.h>

/* Seconds from one sample to the next. */
extern const uint16_t ssf_period_s;

#endif
