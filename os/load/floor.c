/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Floors of versions: a name is known by its CRC-32, so that a floor takes six bytes and outlives
 * the program. Of two names with the same one, the higher floor holds for both.
 */
#include "load/table.h"

#include "base/crc32.h"

/* Without the instance. */
static uint32_t crc_of(const char *name)
{
    uint8_t letters = 0;

    while (name[letters] != 0 && name[letters] != '.') {
        letters++;
    }
    return crc32_end(crc32_add_all(CRC32_BEGIN, (const uint8_t *)name, letters));
}

/* The index of the name's floor, or else of the first that is unused, or DIRECTORY_FLOORS. */
static uint8_t find(uint32_t crc, struct directory_floor *floor)
{
    uint8_t unused = DIRECTORY_FLOORS;

    for (uint8_t index = 0; index < DIRECTORY_FLOORS; index++) {
        directory_read_floor(index, floor);
        if (floor->version == 0) {
            unused = unused == DIRECTORY_FLOORS ? index : unused;
        } else if ((floor->name[0] | (uint32_t)floor->name[1] << 16) == crc) {
            return index;
        }
    }
    *floor = (struct directory_floor){.name = {(uint16_t)crc, (uint16_t)(crc >> 16)}};
    return unused;
}

enum load_error table_may_install(const char *name, uint8_t rows, uint16_t version)
{
    struct directory_floor floor;
    struct directory_row row;

    find(crc_of(name), &floor);
    if (version < floor.version) {
        return LOAD_DOWNGRADE;
    }
    if ((table_program(rows, &row) != DIRECTORY_NONE && table_version(&row) == version) ||
        (table_kept(rows, &row) != DIRECTORY_NONE && table_version(&row) == version)) {
        return LOAD_EXISTS;
    }
    return LOAD_OK;
}

enum load_error table_set_floor(const char *name, uint16_t version)
{
    struct directory_floor floor;
    uint8_t index = find(crc_of(name), &floor);

    if (index == DIRECTORY_FLOORS) {
        return LOAD_DIRECTORY_FULL;
    }
    if (version < floor.version) {
        return LOAD_DOWNGRADE;
    }
    if (version == floor.version) {
        return LOAD_OK;
    }
    floor.version = version;
    return directory_write(0, DIRECTORY_FLOOR + index, &floor, DIRECTORY_NONE, 0);
}
