/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Logs and volumes over a medium that fails. Power is cut in each operation that changes a page,
 * and at each of several bytes of it. */
#include <lichen/block.h>
#include <lichen/log.h>

#include <string.h>

#include "driver/storage/page.h"

#include "played_medium.h"
#include "test.h"

enum {
    SIZE = 60, /* four records a page */
    VALUES = 248,
};

/* Pages 0 to 3, and 4 to 6: in the order of their names. */
LOG_CIRCULAR(a_ring, 248);
VOLUME(b_volume, 2 * VALUES);

static uint8_t record[SIZE];

static int append(uint8_t number)
{
    memset(record, number, SIZE);
    return log_append(&a_ring, record, SIZE);
}

static int append_and_sync(uint8_t number)
{
    int error = append(number);

    return error != 0 ? error : log_sync(&a_ring);
}

/* Reads the next record.
 * returns   its number; 0 at the end; or the negative error
 */
static int read_number(void)
{
    size_t length = SIZE;
    int error = log_read(&a_ring, record, &length);

    if (error != 0) {
        return error == ERR_EMPTY ? 0 : -error;
    }
    for (size_t i = 1; i < length; i++) {
        expect(record[i] == record[0]);
    }
    return record[0];
}

/* Reads to the end; the records follow each other.
 * returns   the number of the last one, 0 if there is none
 */
static int read_to_end(void)
{
    int last = 0;

    for (int number = read_number(); number != 0; number = read_number()) {
        expect(number > 0);
        expect(last == 0 || number == last + 1);
        last = number;
    }
    return last;
}

TEST(a_page_that_is_worn_is_skipped)
{
    for (uint8_t worn = 0; worn < 4; worn++) {
        played_renew();
        played.worn = (uint8_t)(1u << worn);
        for (uint8_t number = 1; number < 60; number++) {
            expect_equal(append_and_sync(number), 0);
            if (number % 4 == 1) {
                played_restart();
            }
            expect_equal(log_seek(&a_ring, LOG_OLDEST), 0);
            expect_equal(read_to_end(), number);
        }
    }
}

TEST(a_reader_meets_no_record_twice_when_its_page_is_skipped)
{
    played_renew();
    played.worn = 1u << 0 | 1u << 1 | 1u << 2;
    expect_equal(append(1), 0);
    expect_equal(append(2), 0);
    expect_equal(read_number(), 1);
    expect_equal(log_sync(&a_ring), 0);
    expect_equal(read_number(), 2);
    expect_equal(read_number(), 0);
}

TEST(pages_that_are_all_worn_are_reported_and_cost_nothing_that_is_safe)
{
    played_renew();
    for (uint8_t number = 1; number < 6; number++) {
        expect_equal(append_and_sync(number), 0);
    }
    played.worn = 0x0f;
    expect_equal(append(6), 0);
    expect_equal(log_sync(&a_ring), ERR_IO);
    expect_equal(log_sync(&a_ring), ERR_IO);
    played.worn = 0;
    expect_equal(log_sync(&a_ring), 0);
    played_restart();
    int last = 0;
    for (int number = read_number(); number != 0; number = read_number()) {
        last = number > 0 ? number : last;
    }
    expect_equal(last, 6);
}

TEST(a_part_that_does_not_answer_is_reported_and_found_again)
{
    size_t length = SIZE;
    uint32_t position;

    played_renew();
    expect_equal(append_and_sync(1), 0);
    played.is_absent = true;
    expect_equal(append(2), 0);
    expect_equal(log_sync(&a_ring), ERR_IO);
    played_restart();
    played.is_absent = true;
    expect_equal(append(3), ERR_IO);
    expect_equal(log_sync(&a_ring), ERR_IO);
    expect_equal(log_read(&a_ring, record, &length), ERR_IO);
    expect_equal(log_seek(&a_ring, LOG_OLDEST), ERR_IO);
    expect_equal(log_tell(&a_ring, &position), ERR_IO);
    expect_equal(log_erase(&a_ring), ERR_IO);
    played.is_absent = false;
    expect_equal(read_number(), 1);
    expect_equal(read_number(), 0);
}

TEST(a_page_that_rots_is_reported_once)
{
    played_renew();
    for (uint8_t number = 1; number < 10; number++) {
        expect_equal(append_and_sync(number), 0);
    }
    played_restart();
    played.pages[1][100] ^= 1; /* records 5 to 8 */
    expect_equal(read_number(), -ERR_CORRUPT);
    expect_equal(read_number(), 9);
    expect_equal(read_number(), 0);
}

/* The first place is worn, and the part does not answer at the next one: the page has no number
 * before its own that was skipped, so the one that is lost was not. */
TEST(a_write_that_fails_hides_no_page_that_rots)
{
    played_renew();
    for (uint8_t number = 1; number < 13; number++) {
        expect_equal(append(number), 0);
    }
    played.worn = 1u << 2;
    played.is_brief = true;
    played.cut_after = 2;
    expect_equal(append(13), ERR_IO);
    played.pages[1][100] ^= 1; /* records 5 to 8 */
    expect_equal(read_number(), -ERR_CORRUPT);
    expect_equal(read_number(), 9);
}

TEST(what_others_have_left_in_the_pages_is_no_log)
{
    played_renew();
    for (unsigned page = 0; page < PLAYED_PAGES; page++) {
        for (unsigned i = 0; i < sizeof(played.pages[page]); i++) {
            played.pages[page][i] = i < 4 ? (i == 0) * (uint8_t)page : (uint8_t)(i * 7 + page);
        }
    }
    expect_equal(read_number(), 0);
    expect_equal(append_and_sync(1), 0);
    played_restart();
    expect_equal(read_number(), 1);
    expect_equal(read_number(), 0);
}

TEST(the_ring_wears_evenly)
{
    unsigned most = 0, least = UINT8_MAX;

    played_renew();
    for (uint8_t number = 1; number < 201; number++) {
        expect_equal(append_and_sync(number), 0);
    }
    for (unsigned page = 0; page < 4; page++) {
        most = played.wear[page] > most ? played.wear[page] : most;
        least = played.wear[page] < least ? played.wear[page] : least;
    }
    expect(least > 50);
    expect(most - least <= 4);
}

static unsigned wear_of_all(void)
{
    unsigned sum = 0;

    for (unsigned page = 0; page < PLAYED_PAGES; page++) {
        sum += played.wear[page];
    }
    return sum;
}

/* A page without records would be written first. */
TEST(the_largest_record_fits_a_page)
{
    played_renew();
    expect_equal(log_append(&a_ring, played.pages[6], LOG_RECORD_MAX), 0);
    expect_equal(wear_of_all(), 0);
}

static const ARCH_FLASH uint8_t tears[] = {0, 5, 8, 200};

/* Appends until power fails.
 * returns   the number of the last record that is safe
 */
static uint8_t log_until_cut(void)
{
    uint8_t safe = 0;

    for (uint8_t number = 1; number < 30; number++) {
        if (append(number) != 0) {
            break;
        }
        if (number % 3 != 0) {
            if (log_sync(&a_ring) != 0) {
                break;
            }
            safe = number;
        }
    }
    return safe;
}

TEST(a_log_keeps_what_is_safe_whichever_operation_is_cut)
{
    for (uint16_t cut = 0; cut < 44; cut++) {
        for (unsigned tear = 0; tear < sizeof(tears); tear++) {
            played_renew();
            played.cut_after = cut;
            played.torn_bytes = tears[tear];
            uint8_t safe = log_until_cut();
            expect(played.is_absent);
            played_restart();
            int last = read_to_end();
            expect(last >= safe);
            expect(last <= safe + 3);
            expect_equal(append_and_sync((uint8_t)(last + 1)), 0);
            played_restart();
            expect_equal(read_to_end(), last + 1);
        }
    }
}

/* The newest copy is not written over before there is a newer one, even if its place is the only
 * one near that keeps what is written. */
TEST(so_does_a_log_with_a_worn_page)
{
    for (uint8_t worn = 0; worn < 4; worn++) {
        for (uint16_t cut = 0; cut < 44; cut++) {
            for (unsigned tear = 0; tear < sizeof(tears); tear++) {
                played_renew();
                played.worn = (uint8_t)(1u << worn);
                played.cut_after = cut;
                played.torn_bytes = tears[tear];
                uint8_t safe = log_until_cut();
                played_restart();
                /* A copy under the next number takes the place of the page that is dropped. */
                if (read_number() != -ERR_CORRUPT) {
                    expect_equal(log_seek(&a_ring, LOG_OLDEST), 0);
                }
                int last = read_to_end();
                expect(last >= safe);
                expect(last <= safe + 3);
            }
        }
    }
}

TEST(an_erasure_that_is_cut_leaves_the_newest_or_nothing)
{
    for (uint16_t cut = 0; cut < 4; cut++) {
        played_renew();
        for (uint8_t number = 1; number < 30; number++) {
            expect_equal(append_and_sync(number), 0);
        }
        played.cut_after = cut;
        played.torn_bytes = 100;
        expect_equal(log_erase(&a_ring), ERR_IO);
        played_restart();
        int last = 0;
        for (int number = read_number(); number != 0; number = read_number()) {
            last = number > 0 ? number : last;
        }
        expect(last == 29 || last == 0);
        expect_equal(log_erase(&a_ring), 0);
        expect_equal(read_number(), 0);
    }
}

/* -------- volumes */

/* Writes a value to both ends of the first page of the volume. */
static int write_ends(uint8_t value)
{
    int error = block_write(&b_volume, 0, &value, 1);

    if (error == 0) {
        error = block_write(&b_volume, VALUES - 1, &value, 1);
    }
    return error != 0 ? error : block_sync(&b_volume);
}

/* The value, which must be at both ends. */
static uint8_t read_ends(void)
{
    uint8_t first = 0, last = 1;

    expect_equal(block_read(&b_volume, 0, &first, 1), 0);
    expect_equal(block_read(&b_volume, VALUES - 1, &last, 1), 0);
    expect_equal(first, last);
    return first;
}

TEST(a_volume_has_the_old_or_the_new_bytes_whichever_operation_is_cut)
{
    for (uint16_t cut = 0; cut < 24; cut++) {
        for (unsigned tear = 0; tear < sizeof(tears); tear++) {
            uint8_t safe = 0;
            played_renew();
            played.cut_after = cut;
            played.torn_bytes = tears[tear];
            for (uint8_t value = 1; write_ends(value) == 0; value++) {
                safe = value;
            }
            played_restart();
            uint8_t found = read_ends();
            expect(found == safe || found == safe + 1 || (safe == 0 && found == 0xff));
            expect_equal(write_ends(100), 0);
            played_restart();
            expect_equal(read_ends(), 100);
        }
    }
}

TEST(a_start_wears_no_page_that_is_whole)
{
    played_renew();
    expect_equal(write_ends(1), 0);
    expect_equal(write_ends(2), 0);
    uint8_t wear = played.wear[4];
    for (unsigned starts = 0; starts < 3; starts++) {
        played_restart();
        expect_equal(read_ends(), 2);
    }
    expect_equal(played.wear[4], wear);
}

/* The repetition of the journal may be cut, too. */
TEST(a_start_that_is_cut_is_made_again)
{
    for (uint16_t cut = 0; cut < 2; cut++) {
        played_renew();
        expect_equal(write_ends(1), 0);
        played.cut_after = 3; /* in the write to the page's place */
        played.torn_bytes = 50;
        expect_equal(write_ends(2), ERR_IO);
        played_restart();
        played.cut_after = cut;
        uint8_t value;
        expect_equal(block_read(&b_volume, 0, &value, 1), ERR_IO);
        played_restart();
        expect_equal(read_ends(), 2);
    }
}

TEST(a_journal_page_that_is_worn_is_skipped)
{
    played_renew();
    played.worn = 1u << 7; /* the second one of two */
    for (uint8_t value = 1; value < 6; value++) {
        expect_equal(write_ends(value), 0);
        played_restart();
        expect_equal(read_ends(), value);
    }
}

TEST(a_page_of_a_volume_that_is_worn_is_reported)
{
    played_renew();
    expect_equal(write_ends(1), 0);
    played.worn = 1u << 4;
    expect_equal(write_ends(2), ERR_IO);
    played.worn = 0;
    expect_equal(block_sync(&b_volume), 0);
    played_restart();
    expect_equal(read_ends(), 2);
}

/* One that was reported by a synchronization costs the others nothing. */
TEST(the_other_pages_of_a_volume_with_a_worn_one_can_be_used)
{
    uint8_t value = 7;

    for (unsigned synced = 0; synced < 2; synced++) {
        played_renew();
        expect_equal(write_ends(1), 0);
        played.worn = 1u << 4;
        expect_equal(block_write(&b_volume, 0, &value, 1), 0);
        if (synced) {
            expect_equal(block_sync(&b_volume), ERR_IO);
        } else {
            expect_equal(block_write(&b_volume, VALUES, &value, 1), ERR_IO);
        }
        expect_equal(block_write(&b_volume, VALUES, &value, 1), 0);
        expect_equal(block_sync(&b_volume), 0);
        played_restart();
        expect_equal(block_read(&b_volume, VALUES, &value, 1), 0);
        expect_equal(value, 7);
        expect_equal(block_read(&b_volume, 0, &value, 1), ERR_CORRUPT);
        value = 7;
    }
}

TEST(what_a_part_did_not_take_is_written_when_it_answers)
{
    played_renew();
    expect_equal(write_ends(1), 0);
    played.is_absent = true;
    expect_equal(write_ends(2), ERR_IO);
    played.is_absent = false;
    expect_equal(block_sync(&b_volume), 0);
    played_restart();
    expect_equal(read_ends(), 2);
}

/* The page is whole, but was written as a part of something else. */
TEST(a_foreign_page_in_the_journal_is_written_nowhere)
{
    struct storage_page *foreign = (struct storage_page *)(void *)played.pages[3];

    played_renew();
    foreign->header = (struct storage_header){.number = 2, .tag = 2};
    expect_equal(page_write(6, foreign), 0);
    unsigned wear = wear_of_all();
    uint8_t value;
    expect_equal(block_read(&b_volume, 0, &value, 1), 0);
    expect_equal(value, 0xff);
    expect_equal(wear_of_all(), wear);
}

/* The start finds its newest bytes in the journal, and cannot write them to their place. */
TEST(a_page_that_is_worn_costs_no_more_of_its_volume_at_a_start)
{
    uint8_t value;

    played_renew();
    played.worn = 1u << 4;
    expect_equal(write_ends(1), ERR_IO);
    played_restart();
    expect_equal(block_read(&b_volume, 0, &value, 1), ERR_CORRUPT);
    expect_equal(block_erase(&b_volume), 0);
    expect_equal(block_read(&b_volume, 0, &value, 1), 0);
    expect_equal(value, 0xff);
}

TEST(a_page_that_rots_cannot_be_read_but_written)
{
    uint8_t value = 3;
    uint16_t crc = 0;

    played_renew();
    expect_equal(write_ends(1), 0);
    expect_equal(write_ends(2), 0);
    played_restart();
    expect_equal(read_ends(), 2);
    played_restart();
    expect_equal(block_sync(&b_volume), 0);
    played.pages[4][40] ^= 1;
    expect_equal(block_read(&b_volume, 0, &value, 1), ERR_CORRUPT);
    expect_equal(block_crc(&b_volume, 0, 1, &crc), ERR_CORRUPT);
    expect_equal(block_write(&b_volume, 0, &value, 1), ERR_CORRUPT);
    memset(played.pages[0], 0, VALUES);
    expect_equal(block_write(&b_volume, 0, played.pages[0], VALUES), 0);
    expect_equal(block_sync(&b_volume), 0);
    expect_equal(read_ends(), 0);
}

TEST(a_volume_whose_part_does_not_answer_reports_it)
{
    uint8_t value = 1;
    uint16_t crc = 0;

    played_renew();
    expect_equal(write_ends(1), 0);
    played_restart();
    played.is_absent = true;
    expect_equal(block_read(&b_volume, 0, &value, 1), ERR_IO);
    expect_equal(block_write(&b_volume, 0, &value, 1), ERR_IO);
    expect_equal(block_sync(&b_volume), ERR_IO);
    expect_equal(block_crc(&b_volume, 0, 1, &crc), ERR_IO);
    expect_equal(block_erase(&b_volume), ERR_IO);
    played_restart();
    expect_equal(read_ends(), 1);
}

TEST(an_erased_volume_stays_erased)
{
    played_renew();
    expect_equal(write_ends(1), 0);
    expect_equal(block_erase(&b_volume), 0);
    expect_equal(read_ends(), 0xff);
    played_restart();
    expect_equal(read_ends(), 0xff);
}
