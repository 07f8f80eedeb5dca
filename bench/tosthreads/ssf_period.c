/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* In place of app/ssf/period.c, whose header only that program includes. */
#include <stdint.h>

extern const uint16_t ssf_period_s;
const uint16_t ssf_period_s = SSF_PERIOD_S;
