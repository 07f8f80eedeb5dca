/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "played_medium.h"

#include <string.h>

#include "driver/storage/crc.h"
#include "driver/storage/lock.h"

enum {
    PAGE = sizeof(struct storage_page),
};

struct played_medium played = {.cut_after = PLAYED_NEVER, .unread_after = PLAYED_NEVER};

STORAGE_HAS(PLAYED_PAGES);

void played_restart(void)
{
    played.cut_after = PLAYED_NEVER;
    played.unread_after = PLAYED_NEVER;
    played.is_absent = false;
    played.is_brief = false;
    storage_epoch++;
}

void played_renew(void)
{
    memset(&played, 0, sizeof(played));
    memset(played.pages, 0xff, sizeof(played.pages));
    played_restart();
}

static int reads(void)
{
    bool fails = played.unread_after == 0;

    if (played.unread_after != PLAYED_NEVER) {
        played.unread_after--;
    }
    return fails || played.is_absent ? ERR_IO : 0;
}

int medium_read(uint16_t page, uint8_t offset, void *bytes, uint16_t length)
{
    memcpy(bytes, played.pages[page] + offset, length);
    return reads();
}

int medium_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc)
{
    *crc = page_crc_of(*crc, played.pages[page] + offset, length);
    return reads();
}

/* How many bytes are changed: all, unless the operation fails. If power does, nothing answers any
 * more. */
static int changes(uint16_t *bytes)
{
    if (played_moves != 0) {
        played_moves();
    }
    *bytes = PAGE;
    if (played.cut_after == PLAYED_NEVER || played.cut_after-- > 0) {
        return 0;
    }
    played.is_absent = !played.is_brief;
    *bytes = played.torn_bytes;
    return ERR_IO;
}

int medium_erase(uint16_t page)
{
    uint16_t changed;

    if (played.is_absent) {
        return ERR_IO;
    }
    played.wear[page]++;
    int error = changes(&changed);
    memset(played.pages[page], 0xff, changed);
    return error;
}

/* Its erasure and its write may each be cut. */
static int write(uint16_t page, const void *bytes, uint16_t length)
{
    uint16_t changed;
    int error = medium_erase(page);

    if (error != 0) {
        return error;
    }
    error = changes(&changed);
    memcpy(played.pages[page], bytes, changed < length ? changed : length);
    if (played.worn >> page & 1) {
        played.pages[page][PAGE - 1] ^= 0x10;
        return error == 0 ? ERR_CORRUPT : error;
    }
    return error;
}

int medium_write(uint16_t page, const struct storage_page *image)
{
    return write(page, image, PAGE);
}

int medium_mark(uint16_t page, const struct storage_header *header)
{
    return write(page, header, sizeof(*header));
}
