/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A radio that can do nothing but send and receive. */
#include <lichen/radio.h>

RADIO_NEEDS_ACKNOWLEDGMENTS;

const ARCH_FLASH struct radio_facts radio_facts = {
    .capabilities = 0,
    .channel_first = 11,
    .channel_last = 26,
    .frame_bytes = 127,
    .symbol_us = 16,
    .byte_us = 32,
};
