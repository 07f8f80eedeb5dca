/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The SAM R21's own flash (data sheet, section NVMCTRL): rows of 256 bytes, which are erased, in
 * pages of 64, which are written from the controller's buffer.
 *
 * While it erases or writes, an access to flash holds the bus until it has ended, and the processor
 * with it. So the command and the wait are in RAM: there, interrupts are taken, and a handler that
 * is in RAM with its vector runs at once. Programs with real-time tasks in RAM wait awake, because
 * the processor takes 4 us to wake.
 */
#include "chip/flash.h"

#include <stdbool.h>

#include <lichen/error.h>

#include "chip/chip.h"
#include "chip/samr21/interrupt.h"
#include "chip/samr21/rows.h"
#include "chip/samr21/reg/nvmctrl.h"
#include "chip/samr21/reg/pm.h"
#include "chip/samr21/tick.h"

#define IN_RAM __attribute__((section(".ram_code.flash"), noinline, long_call))

extern const uint8_t storage_begin[]; /* samr21.ld */

__attribute__((weak)) void rt_vectors_in_ram(void); /* os/kernel/rt/ram.c */

const uint8_t *flash_unit(uint16_t unit)
{
    return storage_begin + (uint32_t)unit * FLASH_UNIT;
}

/* Runs a command on the row or the page at an address.
 *
 * Waits in the lightest sleep, for the controller's request, which nobody serves, or any exception.
 * Only a request that is not pending yet is an event, so it is cleared before each look. The kernel
 * level may choose another mode, and a handler may bound the present, which sleep ends; but then
 * there has been an exception, and WFE returns at once.
 */
IN_RAM static void run_in_ram(uint32_t address, uint16_t command, bool sleeps,
                              volatile uint8_t *bound)
{
    NVMCTRL->ADDR = address / 2;
    NVMCTRL->CTRLA = command;
    for (;;) {
        PM->SLEEP = CHIP_SLEEP_IDLE0;
        SCB_SCR = SCB_SCR_SEVONPEND;
        *bound = TICK_BASE_STALE;
        NVIC_ICPR = 1u << INTERRUPT_NVMCTRL;
        if (NVMCTRL->INTFLAG & NVMCTRL_INTFLAG_READY) {
            break;
        }
        if (sleeps) {
            __asm__ volatile("wfe" : : : "memory");
        }
    }
}

__attribute__((noinline)) void flash_run(uint32_t address, uint16_t command)
{
    static volatile uint8_t none; /* in programs that do not use the tick */

    NVMCTRL->INTENSET = NVMCTRL_INTFLAG_READY;
    run_in_ram(address, command, rt_vectors_in_ram == 0, &tick_base != 0 ? &tick_base : &none);
}

int flash_result(void)
{
    int error = NVMCTRL->INTFLAG & NVMCTRL_INTFLAG_ERROR ? ERR_IO : 0;

    NVMCTRL->STATUS = NVMCTRL_STATUS_ERRORS;
    NVMCTRL->INTFLAG = NVMCTRL_INTFLAG_ERROR;
    NVMCTRL->CTRLA = NVMCTRL_CTRLA_INVALIDATE;
    return error;
}

int flash_unit_erase(uint16_t unit)
{
    flash_run((uint32_t)(uintptr_t)flash_unit(unit), NVMCTRL_CTRLA_ERASE_ROW);
    return flash_result();
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
    for (unsigned i = 0; i < FLASH_UNIT / FLASH_PAGE_BYTES; i++) {
        flash_page_write(at + i * FLASH_PAGE_WORDS, words + i * FLASH_PAGE_WORDS, FLASH_PAGE_WORDS);
    }
    return flash_result();
}

int flash_unit_begin(uint16_t unit, const uint32_t words[FLASH_BEGIN / 4])
{
    int error = prepare(unit);

    if (error != 0) {
        return error;
    }
    flash_page_write((volatile uint32_t *)(uintptr_t)flash_unit(unit), words, FLASH_BEGIN / 4);
    return flash_result();
}
