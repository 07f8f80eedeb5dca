/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread may use its stack up to the limit, where its saved registers still fit.
 *
 * Interrupts use a thread's stack, too: those of the console are over when this begins, and the one
 * of the tick is far.
 */
#include <lichen/notify.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "counter.h"
#include "test.h"

/* What kernel_yield has on the stack when the switch compares it with the limit: two return
 * addresses and two registers (os/arch/avr8/switch.S). */
#define ENTRY_BYTES (2u * 2u + 2u)

NOTIFY(go);
static volatile unsigned yielded;

static void yield_at_limit(void)
{
    register uint8_t *low __asm__("r18") = thread_self()->stack_limit + ENTRY_BYTES;
    __asm__ volatile("push r28\n\t"
                     "push r29\n\t"
                     "in r28, __SP_L__\n\t"
                     "in r29, __SP_H__\n\t"
                     "cli\n\t"
                     "out __SP_H__, r19\n\t"
                     "out __SP_L__, r18\n\t"
                     "sei\n\t"
                     "call kernel_yield\n\t"
                     "cli\n\t"
                     "out __SP_H__, r29\n\t"
                     "out __SP_L__, r28\n\t"
                     "sei\n\t"
                     "pop r29\n\t"
                     "pop r28"
                     : "+r"(low)
                     :
                     : "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13",
                       "r14", "r15", "r16", "r17", "r20", "r21", "r22", "r23", "r24", "r25", "r26",
                       "r27", "r30", "r31", "memory");
}

THREAD(tight, SMALL_STACK, PRIORITY_APP)
{
    for (;;) {
        notify_wait(&go);
        yield_at_limit();
        yielded++;
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
    sleep_ms(20);
    while (counter_read() > 200) {
    }
    notify_post(&go);
    let_equals_run();
    expect_equal(yielded, 1);
}

extern uint8_t ram_end[];                              /* os/chip/atmega128/atmega128.ld */
bool arch_can_read(const void *address, size_t bytes); /* os/arch/arch.h */

TEST(ram_up_to_its_end_can_be_read)
{
    static uint32_t in_ram;
    expect(arch_can_read(&in_ram, sizeof(in_ram)));
    expect(!arch_can_read(&in_ram, 0x1000));
    expect(!arch_can_read(&in_ram, SIZE_MAX));
    expect(arch_can_read(ram_end - 8, 8));
    expect(!arch_can_read(ram_end - 8, 9));
    expect(!arch_can_read(ram_end - 8, SIZE_MAX));
    expect(!arch_can_read((const void *)0xff, 1)); /* a register */
}

TEST(text_can_be_read)
{
    expect(arch_can_read(ARCH_TEXT("text"), 5));
}
