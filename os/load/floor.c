/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Floors of versions: a name is known by its CRC-32, so that a floor takes six bytes and outlives
 * the program. Of two names with the same one, the higher floor holds for both.
 */
#include "load/table.h"

#include "base/crc32.h"

static uint32_t crc_of(const struct table_key *key)
{
    uint32_t crc = CRC32_BEGIN;

    for (uint8_t i = 0; i < key->name_bytes; i++) {
        crc = crc32_add(crc, (uint8_t)key->name[i]);
    }
    return crc32_end(crc);
}

/* The index of the name's floor, or else of the first that is unused, or DIRECTORY_FLOORS. */
static uint8_t find(uint32_t name, struct directory_floor *floor)
{
    uint8_t unused = DIRECTORY_FLOORS;

    for (uint8_t index = 0; index < DIRECTORY_FLOORS; index++) {
        directory_read_floor(index, floor);
        if (floor->version == 0) {
            unused = unused == DIRECTORY_FLOORS ? index : unused;
        } else if ((floor->name[0] | (uint32_t)floor->name[1] << 16) == name) {
            return index;
        }
    }
    *floor = (struct directory_floor){.name = {(uint16_t)name, (uint16_t)(name >> 16)}};
    return unused;
}

enum load_error table_may_install(const struct table_key *key, uint8_t rows, uint16_t version)
{
    struct directory_floor floor;
    struct directory_row row;

    find(crc_of(key), &floor);
    if (version < floor.version) {
        return LOAD_DOWNGRADE;
    }
    if ((table_program(rows, &row) != DIRECTORY_NONE && table_version(&row) == version) ||
        (table_kept(rows, &row) != DIRECTORY_NONE && table_version(&row) == version)) {
        return LOAD_EXISTS;
    }
    return LOAD_OK;
}

enum load_error table_set_floor(const struct table_key *key, uint16_t version)
{
    struct directory_change change = DIRECTORY_CHANGE;
    struct directory_floor floor;

    change.floor = find(crc_of(key), &floor);
    if (change.floor == DIRECTORY_FLOORS) {
        return LOAD_DIRECTORY_FULL;
    }
    if (version < floor.version) {
        return LOAD_DOWNGRADE;
    }
    if (version == floor.version) {
        return LOAD_OK;
    }
    floor.version = version;
    change.floors = &floor;
    return directory_write(&change);
}
