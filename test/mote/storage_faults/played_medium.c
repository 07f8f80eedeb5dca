/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "played_medium.h"

#include <string.h>

#include "driver/storage/crc.h"
#include "driver/storage/lock.h"

enum {
    PAGE = sizeof(struct storage_page),
};

struct played_medium played = {.cut_after = PLAYED_NEVER};

STORAGE_HAS(PLAYED_PAGES);

void played_restart(void)
{
    played.cut_after = PLAYED_NEVER;
    played.is_absent = false;
    storage_epoch++;
}

void played_renew(void)
{
    memset(&played, 0, sizeof(played));
    memset(played.pages, 0xff, sizeof(played.pages));
    played_restart();
}

int medium_read(uint16_t page, uint8_t offset, void *bytes, uint16_t length)
{
    memcpy(bytes, played.pages[page] + offset, length);
    return played.is_absent ? ERR_IO : 0;
}

int medium_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc)
{
    *crc = page_crc_of(*crc, played.pages[page] + offset, length);
    return played.is_absent ? ERR_IO : 0;
}

/* How many bytes are changed: all, unless power fails; then nothing answers any more. */
static uint16_t bytes_before_cut(void)
{
    if (played_moves != 0) {
        played_moves();
    }
    if (played.cut_after == PLAYED_NEVER || played.cut_after-- > 0) {
        return PAGE;
    }
    played.is_absent = true;
    return played.torn_bytes;
}

int medium_erase(uint16_t page)
{
    if (played.is_absent) {
        return ERR_IO;
    }
    played.wear[page]++;
    memset(played.pages[page], 0xff, bytes_before_cut());
    return played.is_absent ? ERR_IO : 0;
}

/* Its erasure and its write may each be cut. */
static int write(uint16_t page, const void *bytes, uint16_t length)
{
    int error = medium_erase(page);

    if (error != 0) {
        return error;
    }
    uint16_t changed = bytes_before_cut();
    memcpy(played.pages[page], bytes, changed < length ? changed : length);
    if (played.worn >> page & 1) {
        played.pages[page][PAGE - 1] ^= 0x10;
        return ERR_CORRUPT;
    }
    return played.is_absent ? ERR_IO : 0;
}

int medium_write(uint16_t page, const struct storage_page *image)
{
    return write(page, image, PAGE);
}

int medium_mark(uint16_t page, const struct storage_header *header)
{
    return write(page, header, sizeof(*header));
}
