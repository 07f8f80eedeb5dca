/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* In place of app/sense/period.c, whose header only that program includes. */
#include <stdint.h>

extern const uint32_t sense_period_us;
extern const uint16_t sense_round_ms;

const uint32_t sense_period_us = SENSE_PERIOD_S * UINT32_C(1000000);
const uint16_t sense_round_ms = SENSE_ROUND_MS;
