/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pages that are erased ahead, while nothing arrives, so that writing them takes half the time:
 * those that have left the directory since the last start, and the copy of it that does not count.
 *
 * That a page reads as erased says nothing: power may have failed in the middle of its erasure or
 * of a write, and what is written there is lost later. So what counts as erased is kept in RAM: it
 * was erased since the last start, to the end, and nothing was written there since.
 *
 * No page is erased more often than if it were erased when it is written, except once by a start
 * that comes between its erasure and its use.
 */
#ifndef LOAD_AHEAD_H
#define LOAD_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

/* What is erased: of each the pages that were freed last. */
enum ahead_piece {
    AHEAD_PROGRAM,
    AHEAD_DIRECTORY,
    AHEAD_PIECES,
};

/* Pages have become free.
 * page      the first: address / CODE_PAGE
 * context   thread; one at a time, as all of these
 * blocks    no
 */
void ahead_free(enum ahead_piece piece, uint16_t page, uint16_t pages);

/* Pages are a program's from now on: what is not erased yet remains as it is.
 * context   thread
 * blocks    no
 */
void ahead_stop(void);

/* Looks for a page to erase, while none is being filled.
 * erases    whether it is erased
 * returns   whether there was one
 * context   thread
 * blocks    see code_erase_in_turn
 */
bool ahead_serve(bool erases);

/* Writes the page that was filled, and erases it before if it is not erased.
 * page      address / CODE_PAGE
 * returns   as code_write
 * context   thread
 * blocks    see code_write_in_turn
 */
int ahead_write(uint16_t page);

#endif
