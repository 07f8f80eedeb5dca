/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counters over a medium that fails: no number comes twice, whatever happens to storage. */
#include <lichen/counter.h>

#include <string.h>

#include <lichen/thread.h>

#include "driver/storage/page.h"

#include "../storage_faults/played_medium.h"
#include "test.h"

COUNTER(numbers);

static struct storage_page spare;

/* What was taken since the pages were new. */
static uint32_t highest;
static bool is_any_taken;

/* Power is back. What was in RAM is gone. */
static void restart(void)
{
    played_restart();
    numbers.next = 0x55555555;
    numbers.limit = 0xaaaaaaaa;
    numbers.is_open = false;
}

static void renew(void)
{
    played_renew();
    restart();
    highest = 0;
    is_any_taken = false;
}

/* Takes a number, which must be larger than all before. Returns as counter_take. */
static int take(void)
{
    uint32_t number;
    int error = counter_take(&numbers, &number);

    if (error == 0) {
        expect(!is_any_taken || number > highest);
        expect(number < COUNTER_END);
        highest = number;
        is_any_taken = true;
    }
    return error;
}

/* Takes all that is reserved, the middle of it at once. */
static void take_all(void)
{
    while (take() == 0) {
        if (numbers.limit - numbers.next > 3) {
            numbers.next = numbers.limit - 2;
        }
    }
}

TEST(nothing_can_be_taken_before_it_is_reserved)
{
    renew();
    expect_equal(take(), ERR_EMPTY);
    expect_equal(counter_reserve(&numbers), 0);
    expect_equal(take(), 0);
}

TEST(each_number_is_one_more)
{
    uint32_t before, number;

    renew();
    expect_equal(counter_reserve(&numbers), 0);
    expect_equal(counter_take(&numbers, &before), 0);
    for (unsigned i = 0; i < 2 * COUNTER_BLOCK + 10; i++) {
        expect_equal(counter_reserve(&numbers), 0);
        expect_equal(counter_take(&numbers, &number), 0);
        expect_equal(number, before + 1);
        before = number;
    }
}

/* The number of pages that were erased. */
static unsigned wear(void)
{
    unsigned sum = 0;

    for (unsigned page = 0; page < PLAYED_PAGES; page++) {
        sum += played.wear[page];
    }
    return sum;
}

TEST(the_next_block_is_reserved_when_half_of_one_is_left)
{
    renew();
    expect_equal(counter_reserve(&numbers), 0);
    unsigned worn = wear();
    for (unsigned i = 0; i < COUNTER_BLOCK / 2; i++) {
        expect_equal(take(), 0);
    }
    expect_equal(counter_reserve(&numbers), 0);
    expect_equal(wear(), worn);
    expect_equal(take(), 0);
    expect_equal(counter_reserve(&numbers), 0);
    expect_equal(wear(), worn + 1);
    for (unsigned i = 1; i < COUNTER_BLOCK / 2 + COUNTER_BLOCK; i++) {
        expect_equal(take(), 0);
    }
    expect_equal(take(), ERR_EMPTY);
}

TEST(a_start_goes_on_behind_what_was_taken)
{
    renew();
    for (unsigned starts = 0; starts < 12; starts++) {
        expect_equal(counter_reserve(&numbers), 0);
        take_all();
        expect_equal(counter_reserve(&numbers), 0);
        expect_equal(take(), 0);
        restart();
        expect_equal(take(), ERR_EMPTY);
    }
    expect(highest > 12 * COUNTER_BLOCK);
}

static const ARCH_FLASH uint8_t tears[] = {0, 2, 5, 7};

/* Reserves and takes until power fails, or until so much of storage was changed. */
static void count_until_cut(void)
{
    for (unsigned blocks = 0; blocks < 6 && counter_reserve(&numbers) == 0; blocks++) {
        take_all();
    }
    take_all();
}

TEST(no_number_comes_twice_whichever_operation_is_cut)
{
    for (uint16_t cut = 0; cut < 20; cut++) {
        for (unsigned tear = 0; tear < sizeof(tears); tear++) {
            renew();
            played.cut_after = cut;
            played.torn_bytes = tears[tear];
            count_until_cut();
            restart();
            count_until_cut();
            expect(is_any_taken);
            expect_equal(counter_reserve(&numbers), 0);
            expect_equal(take(), 0);
        }
    }
}

TEST(no_number_comes_twice_when_the_start_after_a_cut_is_cut)
{
    for (uint16_t first = 0; first < 10; first++) {
        for (uint16_t second = 0; second < 5; second++) {
            for (unsigned tear = 0; tear < sizeof(tears); tear++) {
                renew();
                played.torn_bytes = tears[tear];
                played.cut_after = first;
                count_until_cut();
                restart();
                played.torn_bytes = tears[(tear + first + second) % sizeof(tears)];
                played.cut_after = second;
                count_until_cut();
                restart();
                expect_equal(counter_reserve(&numbers), 0);
                expect_equal(take(), 0);
            }
        }
    }
}

static const ARCH_FLASH uint8_t rotting[] = {1, 5, 255};

/* Pages go bad, in so many places behind one, after so many blocks. */
static void rot(unsigned blocks, unsigned page, unsigned places, unsigned byte)
{
    renew();
    for (unsigned i = 0; i < blocks; i++) {
        expect_equal(counter_reserve(&numbers), 0);
        take_all();
    }
    restart();
    for (unsigned i = 0; i < places; i++) {
        uint8_t *rotten = &played.pages[(page + i) % COUNTER_PLACES][byte];
        *rotten = *rotten == 0xff ? 0xfb : 0xff;
    }
}

TEST(no_number_comes_twice_when_pages_rot)
{
    for (unsigned places = 1; places < COUNTER_PLACES; places++) {
        for (unsigned blocks = COUNTER_PLACES; blocks < 2 * COUNTER_PLACES; blocks++) {
            for (unsigned i = 0; i < sizeof(rotting); i++) {
                for (unsigned page = 0; page < COUNTER_PLACES; page++) {
                    rot(blocks, page, places, rotting[i]);
                    expect_equal(counter_reserve(&numbers), 0);
                    take_all();
                }
            }
        }
    }
}

/* Before all places have had a page. */
TEST(no_number_comes_twice_when_the_first_pages_rot)
{
    for (unsigned blocks = 1; blocks < COUNTER_PLACES; blocks++) {
        for (unsigned page = 1; page < COUNTER_PLACES; page++) {
            rot(blocks, page, COUNTER_PLACES - page, 200);
            expect_equal(counter_reserve(&numbers), 0);
            take_all();
        }
    }
}

/* Cuts spoil all places but one, and after the next start the newest page rots. */
TEST(no_number_comes_twice_when_a_page_rots_after_three_cuts)
{
    for (unsigned blocks = 1; blocks < 6; blocks++) {
        for (unsigned page = 0; page < COUNTER_PLACES; page++) {
            rot(blocks, 0, 0, 0);
            for (unsigned cuts = 0; cuts < 3; cuts++) {
                played.cut_after = 1;
                played.torn_bytes = 5;
                expect_equal(counter_reserve(&numbers), ERR_IO);
                restart();
            }
            expect_equal(counter_reserve(&numbers), 0);
            take_all();
            restart();
            played.pages[page][9] = 0;
            expect_equal(counter_reserve(&numbers), 0);
            take_all();
        }
    }
}

TEST(pages_that_are_worn_are_left_out)
{
    for (uint8_t worn = 0; worn < 1u << COUNTER_PLACES; worn++) {
        renew();
        for (unsigned i = 0; i < 4; i++) {
            expect_equal(counter_reserve(&numbers), 0);
            take_all();
        }
        played.worn = worn;
        bool is_reserved = true;
        for (unsigned i = 0; i < 6; i++) {
            is_reserved = is_reserved && counter_reserve(&numbers) == 0;
            take_all();
            restart();
        }
        expect(is_reserved || worn == 0x0f || (worn & (worn - 1)) != 0);
        played.worn = 0;
        expect_equal(counter_reserve(&numbers), 0);
        expect_equal(take(), 0);
    }
}

TEST(a_part_that_does_not_answer_leaves_what_is_reserved)
{
    renew();
    played.is_absent = true;
    expect_equal(counter_reserve(&numbers), ERR_IO);
    expect_equal(take(), ERR_EMPTY);
    played.is_absent = false;
    expect_equal(counter_reserve(&numbers), 0);
    numbers.next = numbers.limit - 2;
    played.is_absent = true;
    expect_equal(counter_reserve(&numbers), ERR_IO);
    expect_equal(take(), 0);
    expect_equal(take(), 0);
    expect_equal(take(), ERR_EMPTY);
    played.is_absent = false;
    expect_equal(counter_reserve(&numbers), 0);
    expect_equal(take(), 0);
}

TEST(pages_of_something_else_have_no_numbers)
{
    struct storage_page *log = &spare;

    renew();
    memset(played.pages[0], 0, sizeof(played.pages[0]));
    expect_equal(counter_reserve(&numbers), ERR_CORRUPT);
    expect_equal(take(), ERR_EMPTY);
    renew();
    log->header = (struct storage_header){.number = 5, .tag = 77};
    expect_equal(page_write(1, log), 0);
    expect_equal(counter_reserve(&numbers), ERR_CORRUPT);
    expect_equal(take(), ERR_EMPTY);
    expect_equal(counter_restart(&numbers), 0);
    expect_equal(take(), ERR_EMPTY);
    expect_equal(counter_reserve(&numbers), 0);
    expect_equal(take(), 0);
}

/* All pages are lost, after numbers were taken: they are not taken again. */
TEST(pages_that_are_all_lost_have_no_numbers)
{
    renew();
    expect_equal(counter_reserve(&numbers), 0);
    take_all();
    restart();
    for (unsigned page = 0; page < COUNTER_PLACES; page++) {
        played.pages[page][5] = 0;
    }
    expect_equal(counter_reserve(&numbers), ERR_CORRUPT);
}

static void pretend(uint32_t page_number)
{
    memset(&spare, 0xff, sizeof(spare));
    spare.header = (struct storage_header){.number = page_number, .tag = 0xc047};
    expect_equal(page_write((uint16_t)(page_number % COUNTER_PLACES), &spare), 0);
}

TEST(the_last_numbers_are_not_exceeded)
{
    const uint32_t last = COUNTER_END / COUNTER_BLOCK;

    for (uint32_t before = 5; before > 0; before--) {
        renew();
        pretend(last - before);
        for (uint32_t i = 0; i < before; i++) {
            expect_equal(counter_reserve(&numbers), 0);
            take_all();
        }
        expect_equal(highest, COUNTER_END - 1);
        expect_equal(take(), ERR_FULL);
        expect_equal(counter_reserve(&numbers), ERR_FULL);
        restart();
        expect_equal(counter_reserve(&numbers), ERR_FULL);
        expect(take() != 0);
    }
}

/* A thread that ends while it takes one. */
THREAD_STOPPED(holder, 256, PRIORITY_APP + 1)
{
    (void)mutex_lock(numbers.lock);
}

TEST(a_thread_that_ended_in_the_middle_costs_a_block)
{
    renew();
    expect_equal(counter_reserve(&numbers), 0);
    expect_equal(take(), 0);
    expect_equal(thread_start(&holder, 0), 0);
    numbers.next = 0;
    expect_equal(take(), ERR_EMPTY);
    expect_equal(counter_reserve(&numbers), 0);
    expect_equal(take(), 0);
}
