/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/storage/code.h"

#include "driver/storage/lock.h"

/* In images with storage. */
#pragma weak storage_hold
#pragma weak storage_release

void storage_hold_code(void)
{
    (void)storage_hold();
}

static int in_turn(int (*function)(code_address_t page), code_address_t page)
{
    const bool entered = storage_hold();
    int error = function(page);

    if (entered) {
        storage_release();
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
