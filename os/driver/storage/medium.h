/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What storage is made of: the pages of a board's flash. The board's wiring names the driver
 * (os/board/<name>/storage.c); tests have media of their own.
 *
 * The functions are called by one thread at a time. Each may sleep, and is given only pages that
 * the linker has placed. They are no pointers in a structure, so that `lichen build` sees what is
 * called.
 */
#ifndef DRIVER_STORAGE_MEDIUM_H
#define DRIVER_STORAGE_MEDIUM_H

#include <lichen/arch.h>
#include <lichen/storage.h>

/* Reads bytes of a page. Returns 0, or ERR_IO: the part does not answer. */
int medium_read(uint16_t page, uint8_t offset, void *bytes, uint16_t length);

/* Continues a CRC over bytes of a page. Returns as medium_read. */
int medium_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc);

/* Erases a page, writes it, and compares. Returns 0; ERR_IO; or ERR_CORRUPT: the page does not keep
 * what was written. If power fails meanwhile, the page may hold anything. */
int medium_write(uint16_t page, const struct storage_page *image);

/* The same for a page that has nothing but a header. */
int medium_mark(uint16_t page, const struct storage_header *header);

/* Erases a page. Returns as medium_read. */
int medium_erase(uint16_t page);

/* Makes a driver the board's medium: its functions are DRIVER_read, and so on. */
#define STORAGE_IS(driver)                                                                         \
    int medium_read(uint16_t page, uint8_t offset, void *bytes, uint16_t length)                   \
    {                                                                                              \
        return driver##_read(page, offset, bytes, length);                                         \
    }                                                                                              \
    int medium_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc)                  \
    {                                                                                              \
        return driver##_crc(page, offset, length, crc);                                            \
    }                                                                                              \
    int medium_write(uint16_t page, const struct storage_page *image)                              \
    {                                                                                              \
        return driver##_write(page, image);                                                        \
    }                                                                                              \
    int medium_mark(uint16_t page, const struct storage_header *header)                            \
    {                                                                                              \
        return driver##_mark(page, header);                                                        \
    }                                                                                              \
    int medium_erase(uint16_t page)                                                                \
    {                                                                                              \
        return driver##_erase(page);                                                               \
    }

/* Tells the linker how many pages a medium has that is not the chip's own flash. */
#define STORAGE_HAS(pages)  STORAGE_HAS_(pages)
#define STORAGE_HAS_(pages) __asm__(".global storage_pages\n\t.set storage_pages, " #pages)

#endif
