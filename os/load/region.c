/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/region.h"

#include <lichen/arch.h>

#include "load/arena.h"
#include "load/place.h"

/* A piece of flash, in pages, or of RAM, in bytes from the arena's begin. */
struct piece {
    uint16_t begin;
    uint16_t end;
};

/* What is looked at. */
struct space {
    struct piece whole;
    struct piece taken; /* beside what rows have */
    bool is_ram;
    uint8_t shared; /* rows whose RAM is free */
};

static uint16_t page_of(code_address_t address)
{
    return (uint16_t)(address / CODE_PAGE);
}

static struct space flash(void)
{
    return (struct space){.whole = {page_of(code_programs_begin()), page_of(code_programs_end())}};
}

static struct space ram(uint8_t shared)
{
    return (struct space){.whole = {0, (uint16_t)((uintptr_t)arena_end - (uintptr_t)arena_begin)},
                          .is_ram = true,
                          .shared = shared};
}

/* What a row has; pieces may be empty. Behind the last row is what is taken beside rows. */
static void taken(const struct space *space, uint8_t index, struct piece pieces[2])
{
    struct directory_row row;

    pieces[0] = pieces[1] = (struct piece){0, 0};
    if (index == DIRECTORY_ROWS) {
        pieces[0] = space->taken;
        return;
    }
    directory_read(index, &row);
    if (row.state == DIRECTORY_FREE) {
        return;
    }
    if (!space->is_ram) {
        pieces[0] = (struct piece){row.first_page, row.first_page + directory_pages(&row)};
    } else if (row.state != DIRECTORY_DEAD && (space->shared >> index & 1u) == 0) {
        pieces[0] = (struct piece){row.low, row.low + row.low_bytes};
        pieces[1] = (struct piece){row.data, row.data + row.data_bytes};
    }
}

static uint16_t round_down(const struct space *space, uint16_t at)
{
    return space->is_ram ? at / PLACE_ALIGN * PLACE_ALIGN : at;
}

static uint16_t round_up(const struct space *space, uint16_t at)
{
    return round_down(space, space->is_ram ? at + (PLACE_ALIGN - 1u) : at);
}

/* A piece that is taken and lies in this one; an empty one: none. */
static struct piece hit(const struct space *space, struct piece wanted)
{
    for (uint8_t index = 0; index <= DIRECTORY_ROWS; index++) {
        struct piece pieces[2];

        taken(space, index, pieces);
        for (uint8_t i = 0; i < 2; i++) {
            if (pieces[i].begin < pieces[i].end && pieces[i].begin < wanted.end &&
                wanted.begin < pieces[i].end) {
                return pieces[i];
            }
        }
    }
    return (struct piece){0, 0};
}

/* The lowest place for so much, from the bottom. */
static bool fit_up(const struct space *space, uint16_t size, struct piece *found)
{
    uint16_t at = round_up(space, space->whole.begin);

    while (at <= space->whole.end && size <= space->whole.end - at) {
        *found = (struct piece){at, at + size};
        struct piece piece = hit(space, *found);

        if (piece.end == 0) {
            return true;
        }
        at = round_up(space, piece.end);
    }
    return false;
}

/* The highest place for so much. */
static bool fit_down(const struct space *space, uint16_t size, struct piece *found)
{
    uint16_t end = space->whole.end;

    while (size <= end - space->whole.begin) {
        uint16_t at = round_down(space, end - size);

        if (at < space->whole.begin) {
            return false;
        }
        *found = (struct piece){at, at + size};
        struct piece piece = hit(space, *found);

        if (piece.end == 0) {
            return true;
        }
        if (piece.begin < space->whole.begin) {
            return false;
        }
        end = piece.begin;
    }
    return false;
}

bool region_flash(struct directory_row *row)
{
    const struct space space = flash();
    struct piece found;

    if (!fit_up(&space, directory_pages(row), &found)) {
        return false;
    }
    row->first_page = found.begin;
    return true;
}

bool region_ram(struct directory_row *row, uint8_t shared)
{
    struct space space = ram(shared);
    struct piece low;
    struct piece data;

    if (!fit_up(&space, row->low_bytes, &low)) {
        return false;
    }
    space.taken = low;
    if (!fit_down(&space, row->data_bytes, &data)) {
        return false;
    }
    row->low = low.begin;
    row->data = data.begin;
    return true;
}

/* The end of what is taken from `at` on; `at` itself if it is free. */
static uint16_t taken_to(const struct space *space, uint16_t at)
{
    for (;;) {
        struct piece piece = hit(space, (struct piece){at, at + 1});

        if (piece.end == 0) {
            return at;
        }
        at = piece.end;
    }
}

/* Where what is taken begins again. */
static uint16_t free_to(const struct space *space, uint16_t at)
{
    uint16_t end = space->whole.end;

    for (uint8_t index = 0; index <= DIRECTORY_ROWS; index++) {
        struct piece pieces[2];

        taken(space, index, pieces);
        for (uint8_t i = 0; i < 2; i++) {
            if (pieces[i].begin < pieces[i].end && pieces[i].begin >= at && pieces[i].begin < end) {
                end = pieces[i].begin;
            }
        }
    }
    return end;
}

static void look(const struct space *space, uint16_t unit, struct region_room *room)
{
    uint16_t at = space->whole.begin;

    *room = (struct region_room){0, 0};
    while ((at = taken_to(space, at)) < space->whole.end) {
        uint16_t end = free_to(space, at);
        uint32_t hole = (uint32_t)(end - at) * unit;

        room->bytes += hole;
        room->hole = hole > room->hole ? hole : room->hole;
        at = end;
    }
}

void region_look_flash(struct region_room *room)
{
    const struct space space = flash();

    look(&space, CODE_PAGE, room);
}

void region_look_ram(struct region_room *room)
{
    const struct space space = ram(0);

    look(&space, 1, room);
}
