/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A page of flash that several threads write in turn, while all actors request the kernel level, by
 * the register that commands are written to.
 *
 * The page is in the boot section, so the processor halts while it is erased and written: there is
 * no loop in which an interrupt would be forced again and again. The instructions are the same, and
 * handlers of the frame, which lie below, may run.
 *
 * Laws: the page holds what was put last; and a request of the kernel level that comes meanwhile is
 * served before the thread goes on.
 */
#include <lichen/mutex.h>

#include "../kernel/operations.h"
#include "chip/code.h"

enum {
    PAGE = 0x1ff00,
    HALFWORDS = 3,
};

/* chip/atmega128/spm.S */
void spm_page(uint16_t page, uint8_t steps);
uint8_t spm_lock_bits(void);

static MUTEX(one_at_a_time);
static uint8_t lock_bits;

static uint16_t word_of(unsigned actor, unsigned index)
{
    return (uint16_t)(force_round * 16u + actor * 4u + index + 0x4000u);
}

/* The instruction that an interrupt has come to runs before the kernel level that it requests. */
static void expect_served(void)
{
    if (arch_requested) {
        __asm__ volatile("nop\n\tnop" : : : "memory");
        force_expect(!arch_requested);
    }
}

static void write(unsigned actor)
{
    force_expect(mutex_lock(&one_at_a_time) == 0);
    for (unsigned i = 0; i < HALFWORDS; i++) {
        code_put((uint8_t)(2 * (actor + i)), word_of(actor, i));
        expect_served();
    }
    spm_page(PAGE / CODE_PAGE, 1);
    expect_served();
    for (unsigned i = 0; i < HALFWORDS; i++) {
        force_expect(code_read(PAGE + 2 * (actor + i)) == word_of(actor, i));
    }
    force_expect(code_read(PAGE + 2 * (actor + HALFWORDS)) == 0xffff);
    mutex_unlock(&one_at_a_time);
}

/* It uses the same register, and may come between two halfwords of another thread. */
static void read_lock_bits(unsigned actor)
{
    (void)actor;
    force_expect(spm_lock_bits() == lock_bits);
    expect_served();
}

void force_start(void)
{
    lock_bits = spm_lock_bits();
    force_expect(lock_bits != 0);
}

static void prepare(void)
{
}

static void check(void)
{
}

static const struct force_object object = {.prepare = prepare, .check = check};

static const struct force_operation op_write = {
    .name = "write", .object = &object, .in_thread = write};
static const struct force_operation op_lock_bits = {
    .name = "lock_bits", .object = &object, .in_thread = read_lock_bits};
const struct force_operation *const force_operations[] = {&op_write, &op_lock_bits, &operation_post,
                                                          &operation_post_two};
