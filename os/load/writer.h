/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Writes a program to flash, halfword by halfword and page by page: what linker_put does. */
#ifndef LOAD_WRITER_H
#define LOAD_WRITER_H

#include <stdint.h>

#include "load/directory.h"
#include "load/linker.h"

/* Begins with an empty page, whose place is not known yet.
 * context   thread
 * blocks    no
 */
void writer_begin(void);

/* Says where the first page goes, and how much follows. Less than a page was put before.
 * row       first_page and bytes
 * context   thread
 * blocks    no
 */
void writer_place(const struct directory_row *row);

/* Writes the last page, and reads back all that was put.
 * row       `crc` is set to that of all halfwords
 * returns   LOAD_OK; LOAD_LENGTH: they are fewer than `bytes`; LOAD_WRITE: flash does not have
 *           them; LOAD_FUSES: it cannot be written
 * context   thread
 * blocks    no, it holds the processor as code_write does
 */
enum load_error writer_end(struct directory_row *row);

#endif
