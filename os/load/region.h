/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which flash and which RAM is free: what no program of the directory has.
 *
 * Flash is in pages. A program has two pieces of RAM, which are found first fit: the low one
 * (kernel objects and stacks) from the bottom of the arena, the data from its top, so that what an
 * untrusted program may write lies above what it may not. A program that is dead has flash but no
 * RAM. The versions of one program share RAM, since only one of them runs.
 */
#ifndef LOAD_REGION_H
#define LOAD_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "load/directory.h"

/* What is free, and its largest piece: pages of flash, or bytes of RAM. */
struct region_room {
    uint16_t free;
    uint16_t hole;
};

/* Finds flash for the row's `bytes`, and sets `first_page`.
 * returns   whether there is room
 * context   thread
 * blocks    no       cost  O(n^2) programs
 */
bool region_flash(struct directory_row *row);

/* Finds RAM for `low_bytes` and `data_bytes`, and sets `low` and `data`. Without data, that is the
 * end.
 * shared    a bit for each row whose RAM counts as free
 * returns   whether there is room
 * context   thread
 * blocks    no       cost  O(n^2) programs
 */
bool region_ram(struct directory_row *row, uint8_t shared);

/* Looks at RAM, or else at flash.
 * context   thread
 * blocks    no       cost  O(n^2) programs
 */
void region_look(bool is_ram, struct region_room *room);

#endif
