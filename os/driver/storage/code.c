/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/storage/code.h"

#include "driver/storage/lock.h"

/* In images with storage. */
#pragma weak storage_enter
#pragma weak storage_leave

static int in_turn(int (*function)(code_address_t page), code_address_t page)
{
    storage_enter();
    int error = function(page);

    storage_leave();
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
