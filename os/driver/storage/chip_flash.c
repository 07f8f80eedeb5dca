/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/storage/chip_flash.h"

#include <string.h>

#include <lichen/storage.h>

#include "chip/flash.h"
#include "driver/storage/crc.h"

_Static_assert(sizeof(struct storage_page) == FLASH_UNIT, "a page is a unit");

int chip_flash_read(uint16_t page, uint8_t offset, void *bytes, uint16_t length)
{
    memcpy(bytes, flash_unit(page) + offset, length);
    return 0;
}

int chip_flash_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc)
{
    *crc = crc_of(*crc, flash_unit(page) + offset, length);
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

int chip_flash_erase(uint16_t page)
{
    return flash_unit_erase(page);
}
