/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* All is one search: from a place on, for the next one that is free, and how much is free there.
 * From the top of RAM downwards it is the same, of places that are counted from there.
 */
#include "load/region.h"

#include <string.h>

#include <lichen/arch.h>

#include "load/arena.h"
#include "load/place.h"

/* A piece of flash, in pages, or of RAM, in bytes from the arena's begin. */
struct piece {
    unsigned begin;
    unsigned bytes; /* or pages; 0: it is none */
};

/* What is looked at, and the hole in it that was found: at first an empty one at its beginning. */
struct space {
    struct piece whole;
    struct piece taken; /* beside what rows have */
    unsigned at;
    unsigned hole; /* bytes, or pages */
    bool is_ram;
    bool is_downward; /* places are counted from the end */
    uint8_t shared;   /* rows whose RAM is free */
};

static void begin(struct space *space, bool is_ram, uint8_t shared)
{
    memset(space, 0, sizeof(*space));
    space->is_ram = is_ram;
    space->shared = shared;
    if (is_ram) {
        space->whole.bytes =
            (unsigned)((uintptr_t)arena_end - (uintptr_t)arena_begin) & -PLACE_ALIGN;
    } else {
        space->whole.begin = (unsigned)(code_programs_begin() / CODE_PAGE);
        space->whole.bytes = (unsigned)(code_programs_end() / CODE_PAGE) - space->whole.begin;
    }
}

static unsigned round_up(unsigned bytes)
{
    return (bytes + (PLACE_ALIGN - 1u)) & -PLACE_ALIGN;
}

/* Begins the hole at a place. */
static void begin_hole(struct space *space, unsigned at)
{
    space->at = at;
    space->hole = space->whole.bytes - (at - space->whole.begin);
}

/* Ends the hole where a piece begins that is taken; or begins it behind the piece, if it was in it.
 * returns   whether it was
 */
static bool meet(struct space *space, unsigned begin, unsigned bytes)
{
    if (space->is_ram) {
        bytes = round_up(bytes);
    }
    if (space->is_downward) {
        begin = space->whole.bytes - begin - bytes;
    }
    if (space->at - begin < bytes) {
        begin_hole(space, begin + bytes);
        return true;
    }
    if (bytes != 0 && begin - space->at < space->hole) {
        space->hole = begin - space->at;
    }
    return false;
}

/* The pieces of a row. Behind the last row is what is taken beside rows. */
static bool meet_row(struct space *space, uint8_t index)
{
    struct directory_row row;

    if (index == DIRECTORY_ROWS) {
        return meet(space, space->taken.begin, space->taken.bytes);
    }
    uint8_t state = directory_read(index, &row);

    if (!space->is_ram) {
        return meet(space, row.first_page, directory_pages(&row));
    }
    if (state == DIRECTORY_DEAD || (space->shared >> index & 1u) != 0) {
        return false;
    }
    return meet(space, row.low, row.low_bytes) || meet(space, row.data, row.data_bytes);
}

/* Goes on to the next hole behind this one.
 * returns   false: there is none
 */
static bool find_hole(struct space *space)
{
    uint8_t index = 0;

    begin_hole(space, space->at + space->hole);
    while (index <= DIRECTORY_ROWS) {
        index = meet_row(space, index) ? 0 : index + 1u;
    }
    return space->hole != 0;
}

/* The first place for so much. */
static bool find(struct space *space, unsigned bytes)
{
    space->at = space->whole.begin;
    space->hole = 0;
    while (space->hole < bytes) {
        if (!find_hole(space)) {
            return false;
        }
    }
    return true;
}

bool region_flash(struct directory_row *row)
{
    struct space space;

    begin(&space, false, 0);
    bool is_found = find(&space, directory_pages(row));

    row->first_page = (uint16_t)space.at;
    return is_found;
}

bool region_ram(struct directory_row *row, uint8_t shared)
{
    const unsigned data_bytes = round_up(row->data_bytes);
    struct space space;

    begin(&space, true, shared);
    if (!find(&space, row->low_bytes)) {
        return false;
    }
    row->low = (uint16_t)space.at;
    space.taken.begin = row->low;
    space.taken.bytes = row->low_bytes;
    space.is_downward = true;
    if (!find(&space, data_bytes)) {
        return false;
    }
    row->data = (uint16_t)(space.whole.bytes - space.at - data_bytes);
    return true;
}

void region_look(bool is_ram, struct region_room *room)
{
    struct space space;

    begin(&space, is_ram, 0);
    space.at = space.whole.begin;
    room->free = 0;
    room->hole = 0;
    while (find_hole(&space)) {
        const uint16_t hole = (uint16_t)space.hole;

        room->free += hole;
        room->hole = hole > room->hole ? hole : room->hole;
    }
}
