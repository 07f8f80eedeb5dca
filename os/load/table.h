/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Installed programs by name, and their versions: each function changes the directory once, or not
 * at all.
 *
 * Of a name and an instance there are at most: one row that is active or stopped, the program; one
 * that is kept until the program is confirmed; and dead ones, until the next installation.
 */
#ifndef LOAD_TABLE_H
#define LOAD_TABLE_H

#include <stdint.h>

#include "load/container.h"
#include "load/directory.h"
#include "load/error.h"

enum {
    TABLE_FAILURES = 3,                        /* LOADER_FAILURES */
    TABLE_NAME_BYTES = CONTAINER_NAME_MAX + 5, /* with an instance and the zero byte */
};

/* Writes the name of a program that is not free, such as "blink" or "blink.2": there is no other
 * program of that name. What has no readable header is called "?".
 * name      room for TABLE_NAME_BYTES
 * context   thread
 * blocks    no
 */
void table_name(const struct directory_row *row, char *name);

/* Ends a name behind its last letter: writes the instance, if it is not 0, and the zero byte.
 * context   any
 * blocks    no
 */
void table_end_name(char *end, uint8_t instance);

/* The version of a program, of its container's header.
 * context   thread
 * blocks    no
 */
uint16_t table_version(const struct directory_row *row);

/* The rows of a name, a bit each.
 * context   thread
 * blocks    no       cost  O(n) programs
 */
uint8_t table_rows(const char *name);

/* Among rows, the program, and the one that is kept for it.
 * row       is set to it
 * returns   its index, or DIRECTORY_NONE
 * context   thread
 * blocks    no       cost  O(n) programs
 */
uint8_t table_program(uint8_t rows, struct directory_row *row);
uint8_t table_kept(uint8_t rows, struct directory_row *row);

/* Whether this version of a program may be installed.
 * rows      those of its name
 * returns   LOAD_OK, LOAD_EXISTS or LOAD_DOWNGRADE
 * context   thread
 * blocks    no       cost  O(n) floors
 */
enum load_error table_may_install(const char *name, uint8_t rows, uint16_t version);

/* The first row that is free.
 * count     set to how many are
 * returns   its index, or DIRECTORY_NONE
 * context   thread
 * blocks    no       cost  O(n) programs
 */
uint8_t table_free(uint8_t *count);

/* Makes what was written into flash the program of its name, and active. The one before it is kept,
 * or if the new one need not be confirmed, freed. So are dead ones.
 * index     of a free row
 * row       all but `state`; `flags` say whether it is on trial
 * rows      those of its name
 * returns   LOAD_OK or LOAD_WRITE, as do those below
 * context   thread
 * blocks    no, it holds the processor as code_write does; so do those below
 */
enum load_error table_install(uint8_t index, struct directory_row *row, uint8_t rows);

/* Ends the trial of a program, and frees the one that is kept. */
enum load_error table_confirm(uint8_t index);

/* Counts a start of a program on trial. After TABLE_FAILURES of them it is dead, and the one that
 * is kept becomes the program, and active.
 * index     in: an active row; out: that of the program to be started, or DIRECTORY_NONE
 * row       that row, which is changed
 */
enum load_error table_count_start(uint8_t *index, struct directory_row *row);

/* The program is damaged: it is dead, if another one can take its place.
 * index     in: an active row; out: that of the program to be started, or DIRECTORY_NONE
 * row       as above
 */
enum load_error table_replace(uint8_t *index, struct directory_row *row);

/* Counts a start of a confirmed program that has ended in a crash of the mote. After TABLE_FAILURES
 * in a row it is not active any more. */
void table_count_crash(uint8_t index);

/* A confirmed program has survived its start. Writes nothing if none was counted. */
void table_forget_crashes(uint8_t index);

/* Makes a program active or stopped. If it is not on trial, its crashes are forgotten. */
enum load_error table_set_active(uint8_t index, bool is_active);

/* Frees rows. */
enum load_error table_remove(uint8_t rows);

/* Raises the floor of a name, whatever its instance.
 * returns   also LOAD_DIRECTORY_FULL: too many names have floors; LOAD_DOWNGRADE: it is higher
 */
enum load_error table_set_floor(const char *name, uint16_t version);

#endif
