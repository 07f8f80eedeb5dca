/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Compares the mote with the model. */
#include "model.h"

#include <string.h>

#include <lichen/loader.h>

#include "../host/host.h"
#include "load/arena.h"
#include "load/directory.h"

static void compare_row(uint8_t index, const struct version *version, unsigned key, int state)
{
    struct loader_program seen;
    struct directory_row row;
    char name[LOADER_NAME_BYTES];

    loader_look(index, &seen);
    directory_read(index, &row);
    model_name(key, name);
    require(strcmp(seen.name, name) == 0 && seen.version == version->version);
    require(seen.state == state && seen.is_on_trial == version->is_on_trial);
    require(seen.failures == version->failures);
    require(row.first_page == version->first_page && seen.flash_bytes == version->pages * 256);
    require(row.low == version->low && row.low_bytes == version->low_bytes);
    require(row.data == version->data && row.data_bytes == version->data_bytes);
    require(memcmp(mote_flash(row.first_page * 256u), version->block, version->block_bytes) == 0);
}

/* The row that has this version, which is a bit of `rows` no more. */
static uint8_t find(unsigned *rows, const struct version *version)
{
    struct directory_row row;

    for (uint8_t index = 0; index < ROWS; index++) {
        directory_read(index, &row);
        if ((*rows >> index & 1u) && row.first_page == version->first_page) {
            *rows &= ~(1u << index);
            return index;
        }
    }
    require(false);
    return 0;
}

static unsigned rows_there(void)
{
    struct directory_row row;
    unsigned rows = 0;

    for (uint8_t index = 0; index < ROWS; index++) {
        directory_read(index, &row);
        rows |= (unsigned)(row.state != DIRECTORY_FREE) << index;
    }
    return rows;
}

static void compare_program(unsigned *rows, unsigned key)
{
    const struct modelled *of = &model[key];
    uint8_t index = find(rows, &of->program);

    compare_row(index, &of->program, key, of->program.is_active ? LOADER_ACTIVE : LOADER_VERIFIED);
    require((mote_running(index) != 0) == of->runs);
    if (of->runs) {
        const uint8_t *at = (const uint8_t *)mote_running(index);

        require(at == arena_begin + of->program.low);
        require(mote_running(index)->data == arena_begin + of->program.data);
        require(mote_running(index)->objects >= at + sizeof(struct program));
    }
}

/* Nothing leaks: what is free is the rest. */
static void compare_room(void)
{
    struct loader_room room;
    unsigned free = 0;

    loader_look_room(&room);
    for (unsigned page = 0; page < MOTE_PAGES; page++) {
        free += !model_has_page(MOTE_BEGIN + page * 256);
    }
    require(room.flash_bytes == free * 256 && room.flash_hole <= room.flash_bytes);
    require(room.ram_hole <= room.ram_bytes && room.ram_bytes <= MOTE_ARENA);
}

void model_compare(void)
{
    unsigned rows = rows_there();

    for (unsigned key = 0; key < KEYS; key++) {
        const struct modelled *of = &model[key];

        if (of->program.is_there) {
            compare_program(&rows, key);
        } else {
            require(!of->runs);
        }
        if (of->kept.is_there) {
            compare_row(find(&rows, &of->kept), &of->kept, key, LOADER_VERIFIED);
        }
        if (of->dead.is_there) {
            compare_row(find(&rows, &of->dead), &of->dead, key, LOADER_DEAD);
        }
    }
    require(rows == 0);
    compare_room();
}
