/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Flash that holds code: the part that need not run while it is written (spm.S).
 *
 * The fuses decide whether SPM works: start-up has looked at them, and moved the vectors only if it
 * does. The lock bits may forbid SPM to write below the boot section, or LPM to read from there;
 * then interrupts would be off in one of the two, too.
 */
#include "chip/code.h"

#include <lichen/assert.h>
#include <lichen/error.h>

#include "chip/atmega128/registers.h"

enum {
    LOCK_BITS_FREE = 1 << 2 | 1 << 3, /* BLB01, BLB02 */
};

/* spm.S */
void spm_fill(uint8_t offset, uint16_t halfword);
void spm_page(uint16_t page, uint8_t steps);
void spm_forget(void);
uint8_t spm_lock_bits(void);

/* The linker's, as numbers of pages (atmega128.ld). */
extern const uint8_t programs_begin_page[], programs_end_page[], programs_directory_page[],
    staging_begin_page[], staging_end_page[];

static code_address_t address_of(const uint8_t *page)
{
    return (code_address_t)(uintptr_t)page * CODE_PAGE;
}

code_address_t code_programs_begin(void)
{
    return address_of(programs_begin_page);
}

code_address_t code_programs_end(void)
{
    return address_of(programs_end_page);
}

code_address_t code_directory(void)
{
    return address_of(programs_directory_page);
}

code_address_t code_staging_begin(void)
{
    return address_of(staging_begin_page);
}

code_address_t code_staging_end(void)
{
    return address_of(staging_end_page);
}

/* Interrupts are off for 10 cycles at a time: threads share RAMPZ, and those that change it in
 * between would not know. */
void code_read_all(code_address_t address, void *to, uint8_t bytes)
{
    uint8_t bank = (uint8_t)(address >> 16);
    uint16_t from = (uint16_t)address;
    uint16_t *halfword = to;
    uint8_t status;

    for (; bytes != 0; bytes -= 2) {
        __asm__ volatile("in %1, 0x3f\n\t"
                         "cli\n\t"
                         "out 0x3b, %3\n\t"
                         "elpm %A0, Z+\n\t"
                         "elpm %B0, Z+\n\t"
                         "out 0x3f, %1"
                         : "=&r"(*halfword), "=&r"(status), "+z"(from)
                         : "r"(bank));
        halfword++;
    }
}

uint16_t code_read(code_address_t address)
{
    uint16_t halfword;

    code_read_all(address, &halfword, sizeof(halfword));
    return halfword;
}

void code_put(uint8_t offset, uint16_t halfword)
{
    assert(offset % 2 == 0);
    spm_fill(offset, halfword);
}

void code_forget(void)
{
    spm_forget();
}

/* As spm.S has them. */
enum step {
    WRITES = 1 << 0,
    KEEPS = 1 << 1,
};

static int run(code_address_t page, uint8_t steps)
{
    uint16_t number = (uint16_t)(page / CODE_PAGE);

    assert(page % CODE_PAGE == 0);
    assert(number >= (uintptr_t)programs_begin_page && number < (uintptr_t)staging_end_page);
    if (!(MCUCR & 1 << IVSEL) || (spm_lock_bits() & LOCK_BITS_FREE) != LOCK_BITS_FREE) {
        return ERR_IO;
    }
    spm_page(number, steps);
    return 0;
}

int code_write(code_address_t page)
{
    return run(page, WRITES);
}

int code_add(code_address_t page)
{
    return run(page, WRITES | KEEPS);
}

int code_erase(code_address_t page)
{
    return run(page, 0);
}
