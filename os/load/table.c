/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/table.h"

#include <string.h>

uint8_t table_rows(const char *name)
{
    struct directory_row row;
    char other[TABLE_NAME_BYTES];
    uint8_t rows = 0;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        rows >>= 1;
        if (directory_read(index, &row) != DIRECTORY_FREE) {
            table_name(&row, other);
            if (strcmp(other, name) == 0) {
                rows |= 1u << (DIRECTORY_ROWS - 1);
            }
        }
    }
    return rows;
}

/* The first of some rows that can run and has this flag as it is here, or DIRECTORY_NONE. */
static uint8_t find(uint8_t rows, uint8_t kept, struct directory_row *row)
{
    uint8_t index = 0;

    for (; rows != 0; rows >>= 1) {
        uint8_t state = (rows & 1u) != 0 ? directory_read(index, row) : DIRECTORY_DEAD;

        if (state != DIRECTORY_DEAD && (row->flags & DIRECTORY_KEPT) == kept) {
            return index;
        }
        index++;
    }
    return DIRECTORY_NONE;
}

uint8_t table_program(uint8_t rows, struct directory_row *row)
{
    return find(rows, 0, row);
}

uint8_t table_kept(uint8_t rows, struct directory_row *row)
{
    return find(rows, DIRECTORY_KEPT, row);
}

uint8_t table_free(uint8_t *count)
{
    uint8_t first = DIRECTORY_NONE;

    *count = 0;
    for (uint8_t index = DIRECTORY_ROWS; index-- > 0;) {
        if (directory_state(index) == DIRECTORY_FREE) {
            first = index;
            ++*count;
        }
    }
    return first;
}

/* The rows of a row's name. */
static uint8_t rows_like(const struct directory_row *row)
{
    char name[TABLE_NAME_BYTES];

    table_name(row, name);
    return table_rows(name);
}

/* -------- changes */

enum load_error table_install(uint8_t index, struct directory_row *row, uint8_t rows)
{
    struct directory_row old;
    uint8_t kept = table_kept(rows, &old);

    /* All go but one that is kept: what was confirmed last, or what is there. */
    if (kept == DIRECTORY_NONE) {
        kept = table_program(rows, &old);
    }
    if ((row->flags & DIRECTORY_ON_TRIAL) == 0) {
        kept = DIRECTORY_NONE;
    }
    if (kept != DIRECTORY_NONE) {
        old.state = DIRECTORY_VERIFIED;
        old.flags |= DIRECTORY_KEPT;
    }
    row->state = DIRECTORY_ACTIVE;
    row->failures = 0;
    return directory_write(rows, index, row, kept, &old);
}

static enum load_error write_row(uint8_t freed, uint8_t index, const struct directory_row *row)
{
    return directory_write(freed, index, row, DIRECTORY_NONE, 0);
}

enum load_error table_confirm(uint8_t index)
{
    struct directory_row row;
    struct directory_row old;

    directory_read(index, &row);
    uint8_t kept = table_kept(rows_like(&row), &old);

    row.flags &= (uint8_t)~DIRECTORY_ON_TRIAL;
    row.failures = 0;
    return write_row((uint8_t)(1u << kept), index, &row);
}

/* Makes a program dead, and the one that is kept the program. Older dead ones go.
 * is_final  also if none is kept */
static enum load_error roll_back(uint8_t *index, struct directory_row *row, bool is_final)
{
    struct directory_row old;
    uint8_t failed = *index;
    uint8_t rows = rows_like(row);
    uint8_t kept = table_kept(rows, &old);

    *index = kept;
    if (kept == DIRECTORY_NONE && !is_final) {
        return LOAD_OK;
    }
    row->state = DIRECTORY_DEAD;
    old.state = DIRECTORY_ACTIVE;
    old.flags &= (uint8_t)~DIRECTORY_KEPT;
    old.failures = 0;
    return directory_write(rows, failed, row, kept, &old);
}

enum load_error table_count_start(uint8_t *index, struct directory_row *row)
{
    if ((row->flags & DIRECTORY_ON_TRIAL) == 0) {
        return LOAD_OK;
    }
    if (row->failures < TABLE_FAILURES) {
        row->failures++;
        return write_row(0, *index, row);
    }
    return roll_back(index, row, true);
}

enum load_error table_replace(uint8_t *index, struct directory_row *row)
{
    return roll_back(index, row, false);
}

enum load_error table_set_active(uint8_t index, bool is_active)
{
    struct directory_row row;

    directory_read(index, &row);
    row.state = is_active ? DIRECTORY_ACTIVE : DIRECTORY_VERIFIED;
    if ((row.flags & DIRECTORY_ON_TRIAL) == 0) {
        row.failures = 0;
    }
    return write_row(0, index, &row);
}

void table_count_crash(uint8_t index)
{
    struct directory_row row;

    if (directory_read(index, &row) == DIRECTORY_ACTIVE) {
        row.failures++;
        if (row.failures >= TABLE_FAILURES) {
            row.state = DIRECTORY_VERIFIED;
        }
        (void)write_row(0, index, &row);
    }
}

void table_forget_crashes(uint8_t index)
{
    struct directory_row row;

    directory_read(index, &row);
    if (row.failures != 0) {
        (void)table_confirm(index); /* none is kept */
    }
}

enum load_error table_remove(uint8_t rows)
{
    return write_row(rows, DIRECTORY_NONE, 0);
}
