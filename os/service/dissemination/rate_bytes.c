/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How fast parts follow one another on a CC1000: 55 ms of air, up to 14 of backoff, and up to 13 in
 * which a receiver writes and erases. */
#include "service/dissemination/dissemination.h"

const ARCH_FLASH uint8_t dissemination_part_time = 90, dissemination_part_pause = 20;

/* 20 ms of air, and up to 14 of backoff, twice. */
const ARCH_FLASH uint8_t dissemination_answer_time = 60;
