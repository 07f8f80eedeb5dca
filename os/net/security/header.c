/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "net/security/header.h"

#include <string.h>

/* The first byte, "security control". */
enum {
    CONTROL_LEVEL = 0x07,
    CONTROL_MODE_SHIFT = 3,
    CONTROL_MODE = 0x03, /* shifted */
    CONTROL_SUPPRESSED = 1 << 5,
    CONTROL_SLOT_NONCE = 1 << 6,
    CONTROL_RESERVED = 1 << 7,
};

enum {
    COUNTER_AT = 1,
    KEY_AT = 5,
};

/* Bytes of what names the key, without the index. */
static uint8_t source_bytes(uint8_t mode)
{
    return mode == LINK_KEY_SOURCE_4 ? 4 : mode == LINK_KEY_SOURCE_8 ? 8 : 0;
}

static uint8_t bytes_of_mode(uint8_t mode)
{
    return KEY_AT + (mode == LINK_KEY_IMPLICIT ? 0 : source_bytes(mode) + 1);
}

uint8_t security_header_bytes(const struct security_header *header)
{
    return bytes_of_mode(header->key.mode);
}

/* 0, 4, 8 and 16, for levels that encipher and levels that do not. */
uint8_t security_mic_bytes(uint8_t level)
{
    uint8_t strength = level & 3;

    return strength == 0 ? 0 : (uint8_t)(2u << strength);
}

enum link_refusal security_level_check(uint8_t level)
{
    return level == LINK_LEVEL_NONE  ? LINK_LEVEL_MISSING
           : level == LINK_LEVEL_ENC ? LINK_LEVEL_WITHOUT_MIC
                                     : LINK_GOOD;
}

void security_header_write(const struct security_header *header, uint8_t *bytes)
{
    uint8_t mode = header->key.mode, source = source_bytes(mode);

    bytes[0] = (uint8_t)(header->level | mode << CONTROL_MODE_SHIFT);
    for (uint8_t i = 0; i < 4; i++) {
        bytes[COUNTER_AT + i] = (uint8_t)(header->counter >> 8 * i);
    }
    if (mode != LINK_KEY_IMPLICIT) {
        memcpy(bytes + KEY_AT, header->key.source, source);
        bytes[KEY_AT + source] = header->key.index;
    }
}

static enum link_refusal check_control(uint8_t control)
{
    if (control & CONTROL_RESERVED) {
        return LINK_HEADER_RESERVED;
    }
    if (control & (CONTROL_SUPPRESSED | CONTROL_SLOT_NONCE)) {
        return LINK_COUNTER_ABSENT;
    }
    return security_level_check(control & CONTROL_LEVEL);
}

static enum link_refusal read_key(const uint8_t *bytes, struct link_key_name *key)
{
    uint8_t source = source_bytes(key->mode);

    if (key->mode == LINK_KEY_IMPLICIT) {
        return LINK_GOOD;
    }
    memcpy(key->source, bytes, source);
    key->index = bytes[source];
    return key->index == 0 ? LINK_HEADER_RESERVED : LINK_GOOD;
}

enum link_refusal security_header_read(const uint8_t *bytes, uint16_t length,
                                       struct security_header *header)
{
    *header = (struct security_header){0};
    if (length == 0) {
        return LINK_HEADER_CUT;
    }
    enum link_refusal refusal = check_control(bytes[0]);
    if (refusal != LINK_GOOD) {
        return refusal;
    }
    header->level = bytes[0] & CONTROL_LEVEL;
    header->key.mode = bytes[0] >> CONTROL_MODE_SHIFT & CONTROL_MODE;
    if (length < security_header_bytes(header)) {
        return LINK_HEADER_CUT;
    }
    for (uint8_t i = 4; i > 0; i--) {
        header->counter = header->counter << 8 | bytes[COUNTER_AT + i - 1];
    }
    return read_key(bytes + KEY_AT, &header->key);
}
