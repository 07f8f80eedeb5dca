/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Names of programs, as texts and as their containers have them. */
#include "load/table.h"

#include <stddef.h>
#include <string.h>

bool table_key_of(const char *text, struct table_key *key)
{
    uint16_t instance = 0;

    memset(key, 0, sizeof(*key));
    while (*text != 0 && *text != '.') {
        if (key->name_bytes == CONTAINER_NAME_MAX) {
            return false;
        }
        key->name[key->name_bytes++] = *text++;
    }
    if (*text == '.') {
        /* "x.0" and "x.02" are no names: each program has one. */
        if (text[1] < '1' || text[1] > '9') {
            return false;
        }
        while (*++text >= '0' && *text <= '9' && instance <= UINT8_MAX) {
            instance = instance * 10u + (uint8_t)(*text - '0');
        }
    }
    key->instance = (uint8_t)instance;
    return *text == 0 && instance <= UINT8_MAX && key->name_bytes > 0;
}

static uint16_t header_halfword(const struct directory_row *row, uint8_t offset)
{
    return code_read(directory_address(row) + offset);
}

void table_key_of_row(const struct directory_row *row, struct table_key *key)
{
    const uint8_t at = sizeof(struct container_header);

    memset(key, 0, sizeof(*key));
    key->instance = row->instance;
    key->name_bytes = (uint8_t)header_halfword(row, offsetof(struct container_header, name_bytes));
    if (header_halfword(row, 0) != CONTAINER_MAGIC || key->name_bytes > CONTAINER_NAME_MAX) {
        key->name_bytes = 1;
        key->name[0] = '?';
        return;
    }
    for (uint8_t i = 0; i < key->name_bytes; i++) {
        key->name[i] = (char)(header_halfword(row, at + (i & ~1u)) >> (i & 1u) * 8u);
    }
}

uint16_t table_version(const struct directory_row *row)
{
    return header_halfword(row, offsetof(struct container_header, version));
}

void table_text(const struct table_key *key, char *text)
{
    uint8_t left = key->instance;

    memcpy(text, key->name, key->name_bytes);
    text += key->name_bytes;
    if (key->instance != 0) {
        *text++ = '.';
        for (uint8_t digit = 100; digit > 0; digit /= 10) {
            if (key->instance >= digit) {
                *text++ = (char)('0' + left / digit);
            }
            left %= digit;
        }
    }
    *text = 0;
}
