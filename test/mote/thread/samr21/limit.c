/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread may use its stack up to the limit, where its saved registers still fit, when it yields
 * and when it waits.
 */
#include <lichen/notify.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>

#include "test.h"

#define FRAME_BYTES 32u /* what an exception stacks */

NOTIFY(go);
SEMAPHORE(none, 0);
static volatile unsigned yielded;
static volatile unsigned waited;
static volatile unsigned blocked;

/* Enters the kernel with the stack pointer where its frame ends at the limit. */
static void enter_at_limit(void (*how)(void), void *argument, void *second_)
{
    uint8_t *limit = thread_self()->stack_limit;
    register void *first __asm__("r0") = argument;
    register void *second __asm__("r1") = second_;
    register uint8_t *low __asm__("r2") = limit + FRAME_BYTES;
    register void (*entry)(void) __asm__("r3") = how;
    __asm__ volatile("mov r12, sp\n\tmov sp, r2\n\tsvc 0\n\tmov sp, r12"
                     : "+r"(first)
                     : "r"(second), "r"(low), "r"(entry)
                     : "r12", ARCH_CALL_CLOBBERS);
}

THREAD(tight, SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go);
        enter_at_limit(svc_yield, 0, 0);
        yielded++;
        enter_at_limit(svc_notify_wait, &go, 0);
        waited++;
        static struct syscall call;
        enter_at_limit(svc_block, &none.waiting, &call);
        blocked++;
    }
}

/* Until every thread of equal priority has run. */
static void let_equals_run(void)
{
    for (unsigned turn = 0; turn < 8; turn++) {
        thread_yield();
    }
}

TEST(a_stack_may_be_used_up_to_its_limit)
{
    notify_post(&go);
    let_equals_run();
    expect_equal(yielded, 1);
    expect_equal(waited, 0);
    notify_post(&go);
    let_equals_run();
    expect_equal(waited, 1);
    expect_equal(blocked, 0);
    semaphore_post(&none);
    let_equals_run();
    expect_equal(blocked, 1);
}

extern const uint8_t flash_end[], ram_end[];           /* os/chip/samr21/samr21.ld */
bool arch_can_read(const void *address, size_t bytes); /* os/arch/arch.h */

/* In a corrupt program the length may be anything. */
TEST(what_is_longer_than_memory_cannot_be_read)
{
    static const uint32_t in_flash = 1;
    static uint32_t in_ram;
    expect(arch_can_read(&in_flash, sizeof(in_flash)));
    expect(arch_can_read(&in_ram, sizeof(in_ram)));
    expect(!arch_can_read(&in_flash, UINT16_MAX * 16u));
    expect(!arch_can_read(&in_ram, UINT16_MAX));
    expect(!arch_can_read(&in_flash, SIZE_MAX - 3u));
    expect(!arch_can_read(&in_ram, SIZE_MAX - 3u));
}

TEST(words_up_to_the_end_of_memory_can_be_read)
{
    const uint8_t *const ends[] = {flash_end, ram_end};
    for (unsigned i = 0; i < 2; i++) {
        const uint8_t *end = ends[i];
        expect(arch_can_read(end - 8, 8));
        expect(arch_can_read(end - 4, 4));
        expect(arch_can_read(end, 0));
        expect(!arch_can_read(end - 8, 9));
        expect(!arch_can_read(end - 4, 8));
        expect(!arch_can_read(end, 1));
        expect(!arch_can_read(end + 4, 0));
        for (unsigned byte = 1; byte < 4; byte++) {
            expect(!arch_can_read(end - 8 + byte, 4));
        }
    }
}
