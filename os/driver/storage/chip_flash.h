/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's own flash as a medium of storage: driver/storage/medium.h says what the functions do.
 */
#ifndef DRIVER_STORAGE_CHIP_FLASH_H
#define DRIVER_STORAGE_CHIP_FLASH_H

#include <stdint.h>

struct storage_header;
struct storage_page;

int chip_flash_read(uint16_t page, uint8_t offset, void *bytes, uint16_t length);
int chip_flash_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc);
int chip_flash_write(uint16_t page, const struct storage_page *image);
int chip_flash_mark(uint16_t page, const struct storage_header *header);
int chip_flash_erase(uint16_t page);

#endif
