/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "load/writer.h"

#include <lichen/assert.h>

#include "load/ahead.h"
#include "load/crc.h"

/* What is being written. The page itself is the chip's (chip/code.h). */
static struct {
    uint16_t page;  /* address / CODE_PAGE; 0: not known yet */
    uint16_t left;  /* bytes that follow */
    uint16_t crc;   /* of what was put */
    uint8_t offset; /* in the page, of the next halfword */
} writer;

void writer_begin(void)
{
    code_forget();
    writer.page = 0;
    writer.left = CODE_PAGE;
    writer.crc = CRC16_BEGIN;
    writer.offset = 0;
}

void writer_place(const struct directory_row *row)
{
    writer.page = row->first_page;
    writer.left = row->bytes - writer.offset;
    ahead_stop();
}

static enum load_error write_page(void)
{
    return ahead_write(writer.page++) == 0 ? LOAD_OK : LOAD_FUSES;
}

enum load_error linker_put(uint16_t halfword)
{
    if (writer.left == 0) {
        return LOAD_LENGTH;
    }
    code_put(writer.offset, halfword);
    writer.crc = crc16_add(crc16_add(writer.crc, (uint8_t)halfword), (uint8_t)(halfword >> 8));
    writer.left -= 2;
    writer.offset += 2;
    if (writer.offset != 0) {
        return LOAD_OK;
    }
    assert(writer.page != 0);
    return write_page();
}

enum load_error writer_end(struct directory_row *row)
{
    if (writer.left != 0) {
        return LOAD_LENGTH;
    }
    if (writer.offset != 0) {
        enum load_error error = write_page();

        if (error != LOAD_OK) {
            return error;
        }
    }
    row->crc = writer.crc;
    return crc16_of_flash(directory_address(row), row->bytes) == row->crc ? LOAD_OK : LOAD_WRITE;
}
