/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Calls of storage over pages in RAM, so that the figures hold what the system adds to the part's
 * own time: turn, lookup, copies of 8 bytes; and CRCs, where a page is written.
 *
 *   NAME_call .. NAME_return     each call, in the order of the paper's table 3
 */
#include <lichen/block.h>
#include <lichen/log.h>
#include <lichen/thread.h>

#include <string.h>

#include "../../kernel/mark.h"
#include "driver/storage/crc.h"
#include "driver/storage/medium.h"

LOG_CIRCULAR(readings, 248);
VOLUME(settings, 248);

#define PAGES 7

STORAGE_HAS(PAGES);

static uint8_t pages[PAGES][sizeof(struct storage_page)];

int medium_read(uint16_t page, uint8_t offset, void *to, uint16_t length)
{
    memcpy(to, pages[page] + offset, length);
    return 0;
}

int medium_crc(uint16_t page, uint8_t offset, uint16_t length, uint16_t *crc)
{
    *crc = page_crc_of(*crc, pages[page] + offset, length);
    return 0;
}

int medium_write(uint16_t page, const struct storage_page *image)
{
    memcpy(pages[page], image, sizeof(*image));
    return 0;
}

int medium_erase(uint16_t page)
{
    memset(pages[page], 0xff, sizeof(pages[page]));
    return 0;
}

static uint8_t bytes[8];

static void call_log(void)
{
    size_t length = sizeof(bytes);

    BENCH_MARK(append_call);
    (void)!log_append(&readings, bytes, sizeof(bytes));
    BENCH_MARK(append_return);
    BENCH_MARK(read_call);
    (void)!log_read(&readings, bytes, &length);
    BENCH_MARK(read_return);
    BENCH_MARK(seek_call);
    (void)!log_seek(&readings, LOG_NEWEST);
    BENCH_MARK(seek_return);
    BENCH_MARK(sync_writes_call);
    (void)!log_sync(&readings);
    BENCH_MARK(sync_writes_return);
    BENCH_MARK(sync_call);
    (void)!log_sync(&readings);
    BENCH_MARK(sync_return);
}

static void call_block(void)
{
    uint16_t crc = 0xffff;

    (void)!block_write(&settings, 0, bytes, sizeof(bytes));
    BENCH_MARK(block_write_call);
    (void)!block_write(&settings, 8, bytes, sizeof(bytes));
    BENCH_MARK(block_write_return);
    BENCH_MARK(block_read_call);
    (void)!block_read(&settings, 8, bytes, sizeof(bytes));
    BENCH_MARK(block_read_return);
    BENCH_MARK(block_crc_call);
    (void)!block_crc(&settings, 8, sizeof(bytes), &crc);
    BENCH_MARK(block_crc_return);
    BENCH_MARK(block_sync_writes_call);
    (void)!block_sync(&settings);
    BENCH_MARK(block_sync_writes_return);
    BENCH_MARK(block_sync_call);
    (void)!block_sync(&settings);
    BENCH_MARK(block_sync_return);
}

THREAD(calls, 512, PRIORITY_APP)
{
    memset(pages, 0xff, sizeof(pages));
    for (;;) {
        call_log();
        call_block();
    }
}
