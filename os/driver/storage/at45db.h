/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The data flash AT45DB041B as a medium of storage: driver/storage/medium.h says what the functions
 * do. */
#ifndef DRIVER_STORAGE_AT45DB_H
#define DRIVER_STORAGE_AT45DB_H

#include <stdint.h>

struct storage_header;
struct storage_page;

#define AT45DB041B_PAGES 2048

int at45db_read(uint16_t page, uint8_t offset, void *bytes, uint16_t length);
int at45db_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc);
int at45db_write(uint16_t page, const struct storage_page *image);
int at45db_mark(uint16_t page, const struct storage_header *header);
int at45db_erase(uint16_t page);

#endif
