/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/ahead.h"

#include <lichen/loaded.h>

#include "chip/code.h"

/* Where programs share flash with storage. */
DECLARATION_NEEDS(storage_write_code);

/* Page numbers. */
static struct piece {
    uint16_t begin; /* those from here on are erased, */
    uint16_t at;    /* those from here on are to be erased, */
    uint16_t end;   /* to here */
} pieces[AHEAD_PIECES];

static code_address_t address_of(uint16_t page)
{
    return (code_address_t)page * CODE_PAGE;
}

void ahead_free(enum ahead_piece piece, uint16_t page, uint16_t pages)
{
    pieces[piece] = (struct piece){page, page, page + pages};
}

void ahead_stop(void)
{
    pieces[AHEAD_PROGRAM].end = pieces[AHEAD_PROGRAM].at;
}

/* What cannot be erased counts as nothing. */
static void erase(struct piece *piece)
{
    if (code_erase_in_turn(address_of(piece->at)) == 0) {
        piece->at++;
    } else {
        piece->end = piece->at;
    }
}

bool ahead_serve(bool erases)
{
    for (struct piece *piece = pieces; piece != pieces + AHEAD_PIECES; piece++) {
        if (piece->at != piece->end) {
            if (erases) {
                erase(piece);
            }
            return true;
        }
    }
    return false;
}

int ahead_write(uint16_t page)
{
    for (struct piece *piece = pieces; piece != pieces + AHEAD_PIECES; piece++) {
        if ((uint16_t)(page - piece->begin) < (uint16_t)(piece->at - piece->begin)) {
            piece->begin = page + 1u;
            return code_add_in_turn(address_of(page));
        }
    }
    return code_write_in_turn(address_of(page));
}
