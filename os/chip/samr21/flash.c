/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The SAM R21's own flash (data sheet, section NVMCTRL): rows of 256 bytes, which are erased, in
 * pages of 64, which are written from the controller's buffer.
 *
 * While it erases or writes, an access to flash holds the bus until it has ended, and the processor
 * with it. So the command and the wait are in RAM: there, interrupts are taken, and a handler that
 * is in RAM with its vector runs at once.
 */
#include "chip/flash.h"

#include <lichen/error.h>

#include "chip/samr21/reg/nvmctrl.h"

enum {
    PAGE_WORDS = 16,
    PAGE_BYTES = PAGE_WORDS * 4,
};

extern const uint8_t storage_begin[]; /* samr21.ld */

const uint8_t *flash_unit(uint16_t unit)
{
    return storage_begin + (uint32_t)unit * FLASH_UNIT;
}

/* Runs a command on the row or the page at an address. */
__attribute__((section(".ram_code.flash"), noinline, long_call)) static void run(uint32_t address,
                                                                                 unsigned command)
{
    NVMCTRL->ADDR = address / 2;
    NVMCTRL->CTRLA = (uint16_t)command;
    while (!(NVMCTRL->INTFLAG & NVMCTRL_INTFLAG_READY)) {
    }
}

static int result(void)
{
    int error = NVMCTRL->INTFLAG & NVMCTRL_INTFLAG_ERROR ? ERR_IO : 0;

    NVMCTRL->STATUS = NVMCTRL_STATUS_ERRORS;
    NVMCTRL->INTFLAG = NVMCTRL_INTFLAG_ERROR;
    NVMCTRL->CTRLA = NVMCTRL_CTRLA_INVALIDATE;
    return error;
}

/* What is not in the buffer stays erased. */
static void write_page(volatile uint32_t *page, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        page[i] = words[i]; /* goes to the buffer */
    }
    run((uint32_t)(uintptr_t)page, NVMCTRL_CTRLA_WRITE_PAGE);
}

int flash_unit_erase(uint16_t unit)
{
    run((uint32_t)(uintptr_t)flash_unit(unit), NVMCTRL_CTRLA_ERASE_ROW);
    return result();
}

/* Erases a unit, so that its pages can be written. */
static int prepare(uint16_t unit)
{
    int error = flash_unit_erase(unit);

    NVMCTRL->CTRLA = NVMCTRL_CTRLA_CLEAR_BUFFER;
    return error;
}

int flash_unit_write(uint16_t unit, const uint32_t words[FLASH_UNIT / 4])
{
    volatile uint32_t *at = (volatile uint32_t *)(uintptr_t)flash_unit(unit);
    int error = prepare(unit);

    if (error != 0) {
        return error;
    }
    for (unsigned i = 0; i < FLASH_UNIT / PAGE_BYTES; i++) {
        write_page(at + i * PAGE_WORDS, words + i * PAGE_WORDS, PAGE_WORDS);
    }
    return result();
}

int flash_unit_begin(uint16_t unit, const uint32_t words[FLASH_BEGIN / 4])
{
    int error = prepare(unit);

    if (error != 0) {
        return error;
    }
    write_page((volatile uint32_t *)(uintptr_t)flash_unit(unit), words, FLASH_BEGIN / 4);
    return result();
}
