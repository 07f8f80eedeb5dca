/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link that tells neighbour_heard of frames of IEEE 802.15.4. */
#include <stdint.h>

__asm__(".global link_incoming");

extern const uint8_t neighbour_hears;
const uint8_t neighbour_hears = 0;
