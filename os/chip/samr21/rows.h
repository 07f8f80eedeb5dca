/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What storage and code share to write flash (flash.c): one routine in RAM. */
#ifndef SAMR21_ROWS_H
#define SAMR21_ROWS_H

#include <stdint.h>

#include "chip/samr21/reg/nvmctrl.h"

enum {
    FLASH_PAGE_WORDS = 16,
    FLASH_PAGE_BYTES = FLASH_PAGE_WORDS * 4,
};

/* Runs a command on the row or the page at an address, to its end.
 * context   thread; one at a time
 * blocks    no, it holds the processor: 6 ms for a row, 2.5 ms for a page
 */
void flash_run(uint32_t address, uint16_t command);

/* Whether the commands since the last call have done what they should.
 * returns   0; ERR_IO: the chip refuses it
 */
int flash_result(void);

/* Writes words to an erased page; those behind them stay erased.
 * context   thread; one at a time
 * blocks    no, it holds the processor: 2.5 ms
 */
static inline void flash_page_write(volatile uint32_t *page, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        page[i] = words[i]; /* goes to the controller's buffer, whose rest stays erased */
    }
    flash_run((uint32_t)(uintptr_t)page, NVMCTRL_CTRLA_WRITE_PAGE);
}

#endif
