/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "compose.h"

const uint8_t composed_destination[8] = {0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7};
const uint8_t composed_source[8] = {0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57};
const uint8_t composed_key_source[8] = {0xe0, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7};

enum { NONE = 0, SHORT = 2, EXTENDED = 3, ACK = 2 };

/* A row: addresses, the PAN ID Compression field, and which PAN IDs are present. */
struct row {
    uint8_t destination, source, compression;
    uint8_t destination_pan, source_pan;
};

/* Table 7-2, PAN ID Compression field value for frame version 0b10, in its order. */
static const struct row of_2015[] = {
    {NONE, NONE, 0, 0, 0},      {NONE, NONE, 1, 1, 0},         {EXTENDED, NONE, 0, 1, 0},
    {SHORT, NONE, 0, 1, 0},     {EXTENDED, NONE, 1, 0, 0},     {SHORT, NONE, 1, 0, 0},
    {NONE, EXTENDED, 0, 0, 1},  {NONE, SHORT, 0, 0, 1},        {NONE, EXTENDED, 1, 0, 0},
    {NONE, SHORT, 1, 0, 0},     {EXTENDED, EXTENDED, 0, 1, 0}, {EXTENDED, EXTENDED, 1, 0, 0},
    {SHORT, SHORT, 0, 1, 1},    {SHORT, EXTENDED, 0, 1, 1},    {EXTENDED, SHORT, 0, 1, 1},
    {SHORT, EXTENDED, 1, 1, 0}, {EXTENDED, SHORT, 1, 1, 0},    {SHORT, SHORT, 1, 1, 0},
};

/* Section 7.2.2.6 for versions 0b00 and 0b01, of frames that are no acknowledgments: an address has
 * its PAN ID, unless both are present and the field is one. */
static const struct row before_2015[] = {
    {EXTENDED, NONE, 0, 1, 0},  {SHORT, NONE, 0, 1, 0},        {NONE, EXTENDED, 0, 0, 1},
    {NONE, SHORT, 0, 0, 1},     {SHORT, SHORT, 0, 1, 1},       {SHORT, SHORT, 1, 1, 0},
    {SHORT, EXTENDED, 0, 1, 1}, {SHORT, EXTENDED, 1, 1, 0},    {EXTENDED, SHORT, 0, 1, 1},
    {EXTENDED, SHORT, 1, 1, 0}, {EXTENDED, EXTENDED, 0, 1, 1}, {EXTENDED, EXTENDED, 1, 1, 0},
};

/* Immediate acknowledgments: the field is ignored. */
static const struct row acknowledgment[] = {{NONE, NONE, 0, 0, 0}, {NONE, NONE, 1, 0, 0}};

#define ROWS(rows) (rows), (uint8_t)(sizeof(rows) / sizeof((rows)[0]))

static bool look_up(const struct combination *wanted, struct composed_pans *pans,
                    const struct row *rows, uint8_t count)
{
    for (; count > 0; count--, rows++) {
        if (rows->destination == wanted->destination && rows->source == wanted->source &&
            rows->compression == wanted->compression) {
            pans->destination = rows->destination_pan != 0;
            pans->source = rows->source_pan != 0;
            return true;
        }
    }
    return false;
}

bool compose_pans(const struct combination *combination, struct composed_pans *pans)
{
    if (combination->version == 2) {
        return look_up(combination, pans, ROWS(of_2015));
    }
    if (combination->no_sequence) {
        return false; /* a reserved bit */
    }
    if (combination->type == ACK) {
        return !combination->secured && look_up(combination, pans, ROWS(acknowledgment));
    }
    if (combination->secured &&
        (combination->version == 0 || combination->no_counter || combination->asn)) {
        return false;
    }
    return look_up(combination, pans, ROWS(before_2015));
}

static uint8_t *put(uint8_t *at, const uint8_t *bytes, uint8_t length)
{
    while (length-- > 0) {
        *at++ = *bytes++;
    }
    return at;
}

static uint8_t *put_number(uint8_t *at, uint32_t number, uint8_t length)
{
    for (; length > 0; length--, number >>= 8) {
        *at++ = (uint8_t)number;
    }
    return at;
}

static uint8_t bytes_of(uint8_t mode)
{
    return mode == EXTENDED ? 8 : mode == SHORT ? 2 : 0;
}

static uint8_t *put_security(uint8_t *at, const struct combination *combination)
{
    static const uint8_t source_bytes[] = {0, 0, 4, 8};
    uint8_t mode = combination->key_mode;
    *at++ = (uint8_t)(combination->level + mode * 8 + combination->no_counter * 0x20 +
                      combination->asn * 0x40);
    at = put_number(at, COMPOSED_COUNTER, combination->no_counter ? 0 : 4);
    at = put(at, composed_key_source, source_bytes[mode]);
    return put_number(at, COMPOSED_KEY_INDEX, mode != 0);
}

uint8_t compose(const struct combination *combination, uint8_t *bytes)
{
    struct composed_pans pans;
    if (!compose_pans(combination, &pans)) {
        return 0;
    }
    uint8_t *at = bytes;
    *at++ = (uint8_t)(combination->type + combination->secured * 0x08 +
                      combination->compression * 0x40);
    *at++ = (uint8_t)(combination->no_sequence + combination->destination * 0x04 +
                      combination->version * 0x10 + combination->source * 0x40);
    at = put_number(at, COMPOSED_SEQUENCE, !combination->no_sequence);
    at = put_number(at, COMPOSED_DESTINATION_PAN, pans.destination ? 2 : 0);
    at = put(at, composed_destination, bytes_of(combination->destination));
    at = put_number(at, COMPOSED_SOURCE_PAN, pans.source ? 2 : 0);
    at = put(at, composed_source, bytes_of(combination->source));
    if (combination->secured) {
        at = put_security(at, combination);
    }
    return (uint8_t)(at - bytes);
}
