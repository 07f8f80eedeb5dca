/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/storage/chip_flash.h"

#include <string.h>

#include <lichen/storage.h>

#include "chip/flash.h"
#include "driver/storage/crc.h"

_Static_assert(sizeof(struct storage_page) == FLASH_UNIT, "a page is a unit");
_Static_assert(sizeof(struct storage_header) == FLASH_BEGIN, "a unit begins with a header");

int chip_flash_read(uint16_t page, uint8_t offset, void *bytes, uint16_t length)
{
    memcpy(bytes, flash_unit(page) + offset, length);
    return 0;
}

int chip_flash_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc)
{
    *crc = page_crc_of(*crc, flash_unit(page) + offset, length);
    return 0;
}

int chip_flash_write(uint16_t page, const struct storage_page *image)
{
    int error = flash_unit_write(page, (const uint32_t *)(const void *)image);

    if (error == 0 && memcmp(flash_unit(page), image, sizeof(*image)) != 0) {
        error = ERR_CORRUPT;
    }
    return error;
}

static bool is_erased(const uint8_t *at, const uint8_t *end)
{
    while (at < end && *at == 0xff) {
        at++;
    }
    return at == end;
}

int chip_flash_mark(uint16_t page, const struct storage_header *header)
{
    const uint8_t *unit = flash_unit(page);
    int error = flash_unit_begin(page, (const uint32_t *)(const void *)header);

    if (error == 0 && (memcmp(unit, header, sizeof(*header)) != 0 ||
                       !is_erased(unit + sizeof(*header), unit + FLASH_UNIT))) {
        error = ERR_CORRUPT;
    }
    return error;
}

int chip_flash_erase(uint16_t page)
{
    return flash_unit_erase(page);
}
