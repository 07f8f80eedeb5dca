/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Pages of code are written, rewritten and erased, where the linker script says, and no others; and
 * a mote that writes many works on: a real-time task of priority 0 misses nothing, and what else
 * comes meanwhile is served as soon as a page is written.
 */
#include "code_flash.h"

#include <lichen/notify.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "chip/code.h"
#include "test.h"

enum {
    PAGES = 20,
    ERASED = 0xffff,
    PAGE_MS = 8,         /* at least */
    TIME_STEP_US = 1000, /* of the clock, and of the task */
};

extern const uint8_t arena_begin[], arena_end[];

static code_address_t page_at(unsigned number)
{
    return code_programs_begin() + (code_address_t)number * CODE_PAGE;
}

/* What a page holds in these tests. */
static uint16_t word_of(code_address_t page, unsigned offset, uint16_t salt)
{
    return (uint16_t)((page >> 8) * 257u + offset * 31u + salt);
}

/* Puts some of a page, and writes it. */
static int write(code_address_t page, unsigned bytes, uint16_t salt)
{
    for (unsigned offset = 0; offset < bytes; offset += 2) {
        code_put((uint8_t)offset, word_of(page, offset, salt));
    }
    return code_write(page);
}

/* Halfwords of a page that are not as written, of which `bytes` were put. */
static unsigned wrong(code_address_t page, unsigned bytes, uint16_t salt)
{
    unsigned count = 0;

    for (unsigned offset = 0; offset < CODE_PAGE; offset += 2) {
        uint16_t wanted = offset < bytes ? word_of(page, offset, salt) : ERASED;
        count += code_read(page + offset) != wanted;
    }
    return count;
}

TEST(a_page_is_written_and_read_back)
{
    expect_equal(write(page_at(1), CODE_PAGE, 1), 0);
    expect_equal(wrong(page_at(1), CODE_PAGE, 1), 0);
}

TEST(its_neighbours_are_untouched)
{
    expect_equal(wrong(page_at(0), 0, 0), 0);
    expect_equal(wrong(page_at(2), 0, 0), 0);
    expect_equal(write(page_at(0), CODE_PAGE, 2), 0);
    expect_equal(write(page_at(2), CODE_PAGE, 3), 0);
    expect_equal(wrong(page_at(0), CODE_PAGE, 2), 0);
    expect_equal(wrong(page_at(1), CODE_PAGE, 1), 0);
    expect_equal(wrong(page_at(2), CODE_PAGE, 3), 0);
}

TEST(a_page_is_written_again)
{
    expect_equal(write(page_at(1), CODE_PAGE, 0x5a5a), 0);
    expect_equal(wrong(page_at(1), CODE_PAGE, 0x5a5a), 0);
}

TEST(what_is_not_put_is_erased)
{
    expect_equal(write(page_at(1), 70, 4), 0);
    expect_equal(wrong(page_at(1), 70, 4), 0);
}

TEST(a_page_is_erased_and_the_buffer_emptied)
{
    code_put(4, 0x1234);
    expect_equal(code_erase(page_at(1)), 0);
    expect_equal(wrong(page_at(1), 0, 0), 0);
    expect_equal(write(page_at(1), 2, 5), 0);
    expect_equal(wrong(page_at(1), 2, 5), 0);
    expect_equal(wrong(page_at(0), CODE_PAGE, 2), 0);
    expect_equal(wrong(page_at(2), CODE_PAGE, 3), 0);
}

TEST(programs_directory_and_staging_are_written_to_their_ends)
{
    code_address_t ends[] = {code_programs_end() - CODE_PAGE, code_directory(),
                             code_directory() + CODE_PAGE, code_staging_begin(),
                             code_staging_end() - CODE_PAGE};

    for (unsigned i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        expect_equal(write(ends[i], CODE_PAGE, 6), 0);
        expect_equal(wrong(ends[i], CODE_PAGE, 6), 0);
    }
}

/* To any address; beyond the first 64 KB on the ATmega128. */
TEST(a_piece_is_what_its_halfwords_are)
{
    enum {
        BYTES = 30,
        FROM = 4,
    };
    uint8_t piece[1 + BYTES + 1] = {0xa5};
    const code_address_t page = code_directory();
    unsigned count = 0;

    piece[1 + BYTES] = 0xa5;
    code_read_all(page + FROM, piece + 1, BYTES);
    for (unsigned i = 0; i < BYTES; i += 2) {
        count += (uint16_t)(piece[1 + i] | piece[2 + i] << 8) != word_of(page, FROM + i, 6);
    }
    expect_equal(count, 0);
    expect(piece[0] == 0xa5 && piece[1 + BYTES] == 0xa5);
}

TEST(there_is_room)
{
    expect(code_programs_begin() % CODE_PAGE == 0);
    expect(code_programs_end() - code_programs_begin() > 24 * 1024u);
    expect(code_staging_end() - code_staging_begin() >= 15 * 1024u);
    expect((uintptr_t)arena_end > (uintptr_t)arena_begin);
}

static volatile uint16_t beats_taken;

THREAD(taker, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        semaphore_wait(&beats.semaphore);
        beats_taken++;
    }
}

/* Writes pages while the task runs. */
static void write_pages(unsigned first)
{
    for (unsigned i = 0; i < PAGES; i++) {
        expect_equal(write(page_at(first + i), CODE_PAGE, (uint16_t)i), 0);
    }
}

/* The task misses nothing, its posts arrive, and the clock has lost nothing: both count a
 * millisecond at a time. Three times, so that the clock's counter wraps at several moments. */
TEST(a_task_of_priority_0_misses_nothing_while_pages_are_written)
{
    for (unsigned i = 0; i < 3; i++) {
        sleep_ms(20);
        beats_taken = beat_runs = 0;
        beat_start();
        uint64_t begun = time_now_us();
        write_pages(10);
        uint32_t took = (uint32_t)(time_now_us() - begun);
        beat_stop();
        expect(took > PAGES * PAGE_MS * 1000u);
        expect(beat_runs + 2u >= took / TIME_STEP_US);
        expect(beat_runs <= took / TIME_STEP_US + 2u);
        sleep_ms(1);
        expect_equal(beats_taken, beat_runs);
        print("%u pages in %lu us, %u runs, latest %u\n", PAGES, (unsigned long)took, beat_runs,
              beat_latest);
    }
    for (unsigned i = 0; i < PAGES; i++) {
        expect_equal(wrong(page_at(10 + i), CODE_PAGE, (uint16_t)i), 0);
    }
}

NOTIFY(go);
static volatile bool has_slept;

THREAD(sleeper, SMALL_STACK, PRIORITY_HIGH)
{
    for (;;) {
        notify_wait(&go);
        sleep_ms(2);
        has_slept = true;
    }
}

TEST(a_deadline_that_passes_meanwhile_is_served_when_the_page_is_written)
{
    has_slept = false;
    notify_post(&go);
    expect(!has_slept);
    expect_equal(write(page_at(1), CODE_PAGE, 7), 0);
    expect(has_slept);
}
