/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A radio that can do everything, as the AT86RF233. */
#include <lichen/radio.h>

const ARCH_FLASH struct radio_facts radio_facts = {
    .capabilities = RADIO_CAN_FILTER | RADIO_CAN_ACKNOWLEDGE | RADIO_CAN_CSMA | RADIO_CAN_RETRY |
                    RADIO_CAN_TELL_TIME | RADIO_CAN_ANNOUNCE,
    .channel_first = 11,
    .channel_last = 26,
    .frame_bytes = 127,
    .symbol_us = 16,
    .byte_us = 32,
};
