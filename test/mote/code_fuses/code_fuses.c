/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Fuses that make the boot section smaller leave the vectors at 0, from where the mote works, and
 * writes nothing. So do lock bits that forbid it. Here the program moves the vectors itself, and
 * sets the lock bits, which only an erasure of the chip would clear.
 */
#include <lichen/error.h>
#include <lichen/rt.h>
#include <lichen/time.h>

#include <avr/io.h>

#include "chip/code.h"
#include "test.h"

static volatile uint8_t runs;

RT_TASK(beat, RT_TIMER_A, .priority = 0, .period_us = 1000, .deadline_us = 40, .wcet_cycles = 100)
{
    rt_acknowledge();
    runs++;
}

/* Moves the vectors, in the four cycles that the chip leaves. */
static void move_vectors(bool boot)
{
    uint8_t kept = MCUCR & (uint8_t) ~(1 << IVSEL);
    uint8_t first = (uint8_t)(kept | 1 << IVCE);
    uint8_t second = (uint8_t)(kept | boot << IVSEL);

    __asm__ volatile("cli\n\t"
                     "out %0, %1\n\t"
                     "out %0, %2\n\t"
                     "sei"
                     :
                     : "I"(_SFR_IO_ADDR(MCUCR)), "r"(first), "r"(second)
                     : "memory");
}

static code_address_t page(void)
{
    return code_programs_begin() + CODE_PAGE;
}

static int write(uint16_t word)
{
    code_put(0, word);
    return code_write(page());
}

TEST(start_up_has_moved_the_vectors)
{
    expect(MCUCR & 1 << IVSEL);
    expect_equal(write(0x1234), 0);
    expect_equal(code_read(page()), 0x1234);
}

TEST(with_the_vectors_at_0_the_mote_works_and_nothing_is_written)
{
    move_vectors(false);
    runs = 0;
    rt_period_start(beat);
    sleep_ms(20);
    rt_period_stop(beat);
    int written = write(0x5678);
    int erased = code_erase(page());
    move_vectors(true);
    expect(runs >= 20);
    expect_equal(written, ERR_IO);
    expect_equal(erased, ERR_IO);
    expect_equal(code_read(page()), 0x1234);
}

TEST(what_was_put_then_is_not_written_later)
{
    expect_equal(code_write(page()), 0);
    expect_equal(code_read(page()), 0xffff);
    expect_equal(write(0x1234), 0);
}

/* SPM sets lock bits where r0 has zeros. */
RT_IN_BOOT(lock) static void lock(uint8_t bits)
{
    __asm__ volatile("mov r0, %0\n\t"
                     "cli\n\t"
                     "sts %1, %2\n\t"
                     "spm\n\t"
                     "sei\n\t"
                     "1: lds r0, %1\n\t"
                     "sbrc r0, 0\n\t"
                     "rjmp 1b"
                     :
                     : "r"(bits), "n"(_SFR_MEM_ADDR(SPMCSR)),
                       "r"((uint8_t)(1 << BLBSET | 1 << SPMEN))
                     : "r0", "memory");
}

TEST(with_lock_bits_that_forbid_it_nothing_is_written)
{
    lock((uint8_t) ~(1 << 2)); /* BLB01 */
    expect_equal(write(0x5678), ERR_IO);
    expect_equal(code_erase(page()), ERR_IO);
    expect_equal(code_read(page()), 0x1234);
}
