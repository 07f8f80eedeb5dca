/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A radio as the CC1000 of the MICA2. */
#include <lichen/radio.h>

const ARCH_FLASH struct radio_facts radio_facts = {
    .capabilities = RADIO_CAN_FILTER | RADIO_CAN_ACKNOWLEDGE | RADIO_CAN_CSMA | RADIO_CAN_RETRY,
    .channel_first = 1,
    .channel_last = 3,
    .frame_bytes = 127,
    .symbol_us = 208,
    .byte_us = 417,
};
