/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "period.h"

const uint16_t ssf_period_s = 300;
