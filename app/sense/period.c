/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "period.h"

const uint32_t sense_period_us = 30000000;
const uint16_t sense_round_ms = 1000;
