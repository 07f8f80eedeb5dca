/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/storage/code.h"

#include <stdbool.h>

#include "driver/storage/lock.h"

/* In images with storage. */
#pragma weak storage_enter
#pragma weak storage_leave

static bool is_held; /* the lock, from code_hold to code_release */

void storage_hold_code(void)
{
    if (!is_held) {
        storage_enter();
        is_held = true;
    }
}

void storage_release_code(void)
{
    if (is_held) {
        is_held = false;
        storage_leave();
    }
}

static int in_turn(int (*function)(code_address_t page), code_address_t page)
{
    const bool was_held = is_held;

    storage_hold_code();
    int error = function(page);

    if (!was_held) {
        storage_release_code();
    }
    return error;
}

int storage_write_code(code_address_t page)
{
    return in_turn(code_write, page);
}

int storage_add_code(code_address_t page)
{
    return in_turn(code_add, page);
}

int storage_erase_code(code_address_t page)
{
    return in_turn(code_erase, page);
}
