/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/table.h"

#include <string.h>

uint8_t table_rows(const struct table_key *key)
{
    struct directory_row row;
    struct table_key other;
    uint8_t rows = 0;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        directory_read(index, &row);
        if (row.state != DIRECTORY_FREE) {
            table_key_of_row(&row, &other);
            if (memcmp(&other, key, sizeof(other)) == 0) {
                rows |= (uint8_t)(1u << index);
            }
        }
    }
    return rows;
}

enum kind {
    FREE,
    PROGRAM,
    KEPT,
    DEAD,
};

static enum kind kind_of(const struct directory_row *row)
{
    switch (row->state) {
    case DIRECTORY_FREE:
        return FREE;
    case DIRECTORY_DEAD:
        return DEAD;
    default:
        return row->flags & DIRECTORY_KEPT ? KEPT : PROGRAM;
    }
}

/* The first of some rows that is of a kind. */
static uint8_t find(uint8_t rows, enum kind kind, struct directory_row *row)
{
    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        if (rows >> index & 1u) {
            directory_read(index, row);
            if (kind_of(row) == kind) {
                return index;
            }
        }
    }
    return DIRECTORY_NONE;
}

uint8_t table_program(uint8_t rows, struct directory_row *row)
{
    return find(rows, PROGRAM, row);
}

uint8_t table_kept(uint8_t rows, struct directory_row *row)
{
    return find(rows, KEPT, row);
}

uint8_t table_free(void)
{
    struct directory_row row;

    return find(UINT8_MAX, FREE, &row);
}

uint8_t table_count_free(void)
{
    struct directory_row row;
    uint8_t count = 0;

    for (uint8_t index = 0; index < DIRECTORY_ROWS; index++) {
        directory_read(index, &row);
        count += row.state == DIRECTORY_FREE;
    }
    return count;
}

/* The rows of a row's key. */
static uint8_t rows_like(const struct directory_row *row)
{
    struct table_key key;

    table_key_of_row(row, &key);
    return table_rows(&key);
}

/* -------- changes */

static void set(struct directory_change *change, uint8_t number, uint8_t index,
                const struct directory_row *row)
{
    change->index[number] = index;
    change->row[number] = row;
}

enum load_error table_install(uint8_t index, struct directory_row *row, uint8_t rows)
{
    struct directory_change change = DIRECTORY_CHANGE;
    struct directory_row old;
    uint8_t kept = table_kept(rows, &old);

    /* All go but one that is kept: what was confirmed last, or what is there. */
    if (kept == DIRECTORY_NONE) {
        kept = table_program(rows, &old);
    }
    change.freed = rows;
    if (kept != DIRECTORY_NONE && (row->flags & DIRECTORY_ON_TRIAL) != 0) {
        old.state = DIRECTORY_VERIFIED;
        old.flags |= DIRECTORY_KEPT;
        set(&change, 1, kept, &old);
    }
    row->state = DIRECTORY_ACTIVE;
    row->failures = 0;
    set(&change, 0, index, row);
    return directory_write(&change);
}

enum load_error table_confirm(uint8_t index)
{
    struct directory_change change = DIRECTORY_CHANGE;
    struct directory_row row;
    struct directory_row old;

    directory_read(index, &row);
    uint8_t kept = table_kept(rows_like(&row), &old);

    if (kept != DIRECTORY_NONE) {
        change.freed = (uint8_t)(1u << kept);
    }
    row.flags &= (uint8_t)~DIRECTORY_ON_TRIAL;
    row.failures = 0;
    set(&change, 0, index, &row);
    return directory_write(&change);
}

/* Makes a program dead, and the one that is kept the program. Older dead ones go.
 * is_final  also if none is kept */
static enum load_error roll_back(uint8_t *index, struct directory_row *row, bool is_final)
{
    struct directory_change change = DIRECTORY_CHANGE;
    struct directory_row old;
    uint8_t kept;

    change.freed = rows_like(row);
    kept = table_kept(change.freed, &old);
    if (kept == DIRECTORY_NONE && !is_final) {
        *index = DIRECTORY_NONE;
        return LOAD_OK;
    }
    row->state = DIRECTORY_DEAD;
    set(&change, 0, *index, row);
    if (kept != DIRECTORY_NONE) {
        old.state = DIRECTORY_ACTIVE;
        old.flags &= (uint8_t)~DIRECTORY_KEPT;
        old.failures = 0;
        set(&change, 1, kept, &old);
    }
    *index = kept;
    return directory_write(&change);
}

enum load_error table_count_start(uint8_t *index, struct directory_row *row)
{
    struct directory_change change = DIRECTORY_CHANGE;

    if ((row->flags & DIRECTORY_ON_TRIAL) == 0) {
        return LOAD_OK;
    }
    if (row->failures < TABLE_FAILURES) {
        row->failures++;
        set(&change, 0, *index, row);
        return directory_write(&change);
    }
    return roll_back(index, row, true);
}

enum load_error table_replace(uint8_t *index, struct directory_row *row)
{
    return roll_back(index, row, false);
}

enum load_error table_set_active(uint8_t index, bool is_active)
{
    struct directory_change change = DIRECTORY_CHANGE;
    struct directory_row row;

    directory_read(index, &row);
    row.state = is_active ? DIRECTORY_ACTIVE : DIRECTORY_VERIFIED;
    set(&change, 0, index, &row);
    return directory_write(&change);
}

enum load_error table_remove(uint8_t rows)
{
    struct directory_change change = DIRECTORY_CHANGE;

    change.freed = rows;
    return directory_write(&change);
}
