/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A volume of more than 64 KB, and of more than 128 pages, in the data flash of the MICAs. */
#include <lichen/block.h>

#include "test.h"

#define SIZE UINT32_C(70000)
#define PAGE UINT32_C(248)

VOLUME(z_large, SIZE);

extern uint8_t storage_epoch;

/* Each pair differs by a bit that 16 bits of an offset, or 7 of a page, lack. */
static const ARCH_FLASH uint32_t offsets[] = {0, 128 * PAGE, SIZE - 1 - 65536, SIZE - 1};

enum {
    OFFSETS = sizeof(offsets) / sizeof(offsets[0]),
};

TEST(no_offset_is_taken_for_another)
{
    for (uint8_t i = 0; i < OFFSETS; i++) {
        expect_equal(block_write(&z_large, offsets[i], &i, 1), 0);
    }
    expect_equal(block_sync(&z_large), 0);
    storage_epoch++;
    for (uint8_t i = 0; i < OFFSETS; i++) {
        uint8_t value;
        expect_equal(block_read(&z_large, offsets[i], &value, 1), 0);
        expect_equal(value, i);
    }
}
