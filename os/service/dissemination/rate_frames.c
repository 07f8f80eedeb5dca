/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How fast parts follow one another on IEEE 802.15.4: 4.1 ms of air, 1 to 5 of backoff, and up to
 * 20 in which a receiver writes and erases. */
#include "service/dissemination/dissemination.h"

const ARCH_FLASH uint8_t dissemination_part_time = 28, dissemination_part_pause = 20;

/* Two or three backoffs, and 1 ms of air. */
const ARCH_FLASH uint8_t dissemination_answer_time = 12;
