/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's staging area. A halfword is written once after it was erased: what has its value
 * already, since a frame came again after a power cut, is left out.
 */
#include "service/dissemination/store.h"

#include <stdbool.h>

#include <lichen/loaded.h>

#include "chip/code.h"

/* Where it shares flash with storage. */
DECLARATION_NEEDS(storage_write_code);

uint16_t dissemination_store_bytes(void)
{
    return (uint16_t)(code_staging_end() - code_staging_begin());
}

uint16_t dissemination_store_read(uint16_t offset)
{
    return code_read(code_staging_begin() + offset);
}

int dissemination_store_erase(uint16_t offset)
{
    return code_erase_in_turn(code_staging_begin() + offset);
}

/* Writes what belongs to one page, and returns how many bytes that is. */
static uint8_t put(uint16_t offset, const uint8_t *bytes, uint8_t count, bool *is_new)
{
    uint8_t done = 0;

    do {
        uint8_t high = done + 1 < count ? bytes[done + 1] : UINT8_MAX;
        uint16_t halfword = (uint16_t)(high << 8 | bytes[done]);

        if (dissemination_store_read((uint16_t)(offset + done)) != halfword) {
            code_put((uint8_t)(offset + done), halfword);
            *is_new = true;
        }
        done += 2;
    } while (done < count && (uint8_t)(offset + done) != 0);
    return done;
}

int dissemination_store_add(uint16_t offset, const uint8_t *bytes, uint8_t count)
{
    while (count > 0) {
        bool is_new = false;
        uint8_t done = put(offset, bytes, count, &is_new);

        if (is_new) {
            code_address_t page = code_staging_begin() + (offset & (uint16_t) ~(STORE_PAGE - 1u));
            int error = code_add_in_turn(page);
            if (error != 0) {
                return error;
            }
        }
        offset += done;
        bytes += done;
        count = done < count ? (uint8_t)(count - done) : 0;
    }
    return 0;
}
