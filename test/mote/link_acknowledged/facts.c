/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A radio as the CC2420. */
#include <lichen/radio.h>

const ARCH_FLASH struct radio_facts radio_facts = {
    .capabilities = RADIO_CAN_FILTER | RADIO_CAN_ACKNOWLEDGE | RADIO_CAN_TELL_TIME,
    .channel_first = 11,
    .channel_last = 26,
    .frame_bytes = 127,
    .symbol_us = 16,
    .byte_us = 32,
};
