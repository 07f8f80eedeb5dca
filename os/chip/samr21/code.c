/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Flash that holds code: rows, which are erased as a whole, and their pages (flash.c).
 *
 * Each command runs in a handler of drivers' level, by an interrupt that is requested here: tasks
 * in RAM, which are above it, run meanwhile, and nothing else begins that would wait for flash, and
 * make the tasks wait, too. No thread comes between filling the controller's buffer and writing it.
 *
 * The controller's buffer holds a page, not a row, so a row is collected in RAM. It keeps the
 * inverse of what is put: what is not is 0 there, and stays erased.
 */
#include "chip/code.h"

#include <stdbool.h>

#include <lichen/assert.h>
#include <lichen/interrupt.h>

#include "chip/chip.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/rows.h"
#include "chip/samr21/reg/nvmctrl.h"

/* Filled by code_put, and empty between a write and the next put. */
static union {
    uint16_t halfwords[CODE_PAGE / 2];
    uint32_t words[CODE_PAGE / 4];
} row;

/* The linker's (samr21.ld). */
extern const uint8_t programs_begin[], programs_end[], programs_directory[], staging_begin[],
    staging_end[];

code_address_t code_programs_begin(void)
{
    return (code_address_t)(uintptr_t)programs_begin;
}

code_address_t code_programs_end(void)
{
    return (code_address_t)(uintptr_t)programs_end;
}

code_address_t code_directory(void)
{
    return (code_address_t)(uintptr_t)programs_directory;
}

code_address_t code_staging_begin(void)
{
    return (code_address_t)(uintptr_t)staging_begin;
}

code_address_t code_staging_end(void)
{
    return (code_address_t)(uintptr_t)staging_end;
}

uint16_t code_read(code_address_t address)
{
    return *(const volatile uint16_t *)(uintptr_t)address;
}

void code_read_all(code_address_t address, void *to, uint8_t bytes)
{
    const volatile uint16_t *from = (const volatile uint16_t *)(uintptr_t)address;
    uint8_t *byte = to;

    for (; bytes != 0; bytes -= 2) {
        uint16_t halfword = *from++;
        *byte++ = (uint8_t)halfword;
        *byte++ = (uint8_t)(halfword >> 8);
    }
}

void code_put(uint8_t offset, uint16_t halfword)
{
    assert(offset % 2 == 0);
    row.halfwords[offset / 2] = (uint16_t)~halfword;
}

/* Logs and volumes lie between programs and what keeps a container. */
static bool is_code(code_address_t page)
{
    return (page >= code_programs_begin() && page < code_programs_end()) ||
           (page >= code_staging_begin() && page < code_directory() + 2u * CODE_PAGE);
}

/* What the handler is to do: to write a page, or without words to erase a row. */
static struct {
    volatile uint32_t *at;
    const uint32_t *words;
} job;

/* Its cause stays, so it disables itself. */
INTERRUPT(NVMCTRL)
{
    NVIC_ICER = 1u << INTERRUPT_NVMCTRL;
    if (job.words != 0) {
        flash_page_write(job.at, job.words, FLASH_PAGE_WORDS);
    } else {
        flash_run((uint32_t)(uintptr_t)job.at, NVMCTRL_CTRLA_ERASE_ROW);
    }
}

static void work(volatile uint32_t *at, const uint32_t *words)
{
    job.at = at;
    job.words = words;
    NVIC_ISPR = 1u << INTERRUPT_NVMCTRL;
    chip_interrupt_enable(INTERRUPT_NVMCTRL, LEVEL_DRIVER);
    __asm__ volatile("dsb\n\tisb" : : : "memory"); /* it has run */
}

static int erase(code_address_t page)
{
    assert(page % CODE_PAGE == 0 && is_code(page));
    work((volatile uint32_t *)(uintptr_t)page, 0);
    return flash_result();
}

static void empty(void)
{
    for (unsigned i = 0; i < CODE_PAGE / 4; i++) {
        row.words[i] = 0;
    }
}

void code_forget(void)
{
    empty();
}

int code_erase(code_address_t page)
{
    empty();
    return erase(page);
}

static bool is_erased(const uint32_t *page)
{
    uint32_t all = UINT32_MAX;

    for (unsigned i = 0; i < FLASH_PAGE_WORDS; i++) {
        all &= page[i];
    }
    return all == UINT32_MAX;
}

int code_add(code_address_t page)
{
    volatile uint32_t *to = (volatile uint32_t *)(uintptr_t)page;

    assert(page % CODE_PAGE == 0 && is_code(page));
    NVMCTRL->CTRLA = NVMCTRL_CTRLA_CLEAR_BUFFER;
    for (unsigned i = 0; i < CODE_PAGE / 4; i++) {
        row.words[i] = ~row.words[i];
    }
    for (unsigned i = 0; i < CODE_PAGE / 4; i += FLASH_PAGE_WORDS) {
        if (!is_erased(row.words + i)) {
            work(to + i, row.words + i);
        }
    }
    empty();
    return flash_result();
}

int code_write(code_address_t page)
{
    int error = erase(page);

    if (error == 0) {
        return code_add(page);
    }
    empty();
    return error;
}
