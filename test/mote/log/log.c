/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Logs in the board's storage. What a start finds is what a log finds that has forgotten what it
 * has in RAM, and so reads storage again. */
#include <lichen/log.h>
#include <lichen/semaphore.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "test.h"

enum {
    LARGE = 100,
    WRITE_MS = 45, /* a page: 42 on the MICAs, 17 on the SAM R21, and the tick */
};

/* Four pages, of which two hold records. */
LOG(line, 248);
/* Five pages, of which two are kept beside the open one. */
LOG_CIRCULAR(ring, 2 * 248);

static uint8_t record[LOG_RECORD_MAX];

static void forget(struct log *log)
{
    log->epoch = 0;
}

/* A record of its number, which is in its first bytes, repeated. */
static int append(struct log *log, uint16_t number, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        record[i] = (uint8_t)(i % 2 == 0 ? number : number >> 8);
    }
    return log_append(log, record, length);
}

/* Reads a record, which must be the one that append has made. */
static void expect_record(struct log *log, uint16_t number, size_t length)
{
    size_t got = sizeof(record);

    expect_equal(log_read(log, record, &got), 0);
    expect_equal(got, length);
    for (size_t i = 0; i < length; i++) {
        expect_equal(record[i], (uint8_t)(i % 2 == 0 ? number : number >> 8));
    }
}

static void expect_end(struct log *log)
{
    size_t length = sizeof(record);

    expect_equal(log_read(log, record, &length), ERR_EMPTY);
}

TEST(a_log_is_empty_at_first)
{
    expect_end(&line);
    expect_equal(log_sync(&line), 0);
    expect_end(&line);
}

TEST(a_record_has_1_to_247_bytes)
{
    expect_equal(log_append(&line, record, 0), ERR_INVALID);
    expect_equal(log_append(&line, record, LOG_RECORD_MAX + 1), ERR_INVALID);
    expect_end(&line);
    expect_equal(append(&line, 1, 1), 0);
    expect_equal(append(&line, 2, LOG_RECORD_MAX), 0);
    expect_record(&line, 1, 1);
    expect_record(&line, 2, LOG_RECORD_MAX);
    expect_end(&line);
}

TEST(an_erased_log_is_empty_now_and_after_a_start)
{
    expect_equal(log_erase(&line), 0);
    expect_end(&line);
    forget(&line);
    expect_end(&line);
}

TEST(what_is_synchronized_is_there_after_a_start)
{
    expect_equal(append(&line, 3, 10), 0);
    expect_equal(append(&line, 4, 20), 0);
    expect_equal(log_sync(&line), 0);
    expect_equal(append(&line, 5, 30), 0);
    forget(&line);
    expect_record(&line, 3, 10);
    expect_record(&line, 4, 20);
    expect_end(&line);
}

TEST(each_synchronization_adds_to_what_is_there)
{
    for (uint16_t number = 6; number < 12; number++) {
        expect_equal(append(&line, number, 5), 0);
        expect_equal(log_sync(&line), 0);
        forget(&line);
        expect_record(&line, 3, 10);
        expect_record(&line, 4, 20);
        for (uint16_t i = 6; i <= number; i++) {
            expect_record(&line, i, 5);
        }
        expect_end(&line);
    }
}

TEST(the_reader_meets_what_is_appended_behind_it)
{
    expect_equal(append(&line, 12, 7), 0);
    expect_record(&line, 12, 7);
    expect_end(&line);
}

TEST(a_record_without_room_is_not_passed)
{
    size_t length = 9;

    expect_equal(log_seek(&line, LOG_OLDEST), 0);
    expect_equal(log_read(&line, record, &length), ERR_FULL);
    expect_equal(length, 10);
    expect_record(&line, 3, 10);
}

TEST(the_reader_goes_where_it_was_told)
{
    uint32_t third, end, position;

    expect_equal(log_seek(&line, LOG_OLDEST), 0);
    expect_record(&line, 3, 10);
    expect_record(&line, 4, 20);
    expect_equal(log_tell(&line, &third), 0);
    expect_record(&line, 6, 5);
    expect_equal(log_seek(&line, LOG_NEWEST), 0);
    expect_end(&line);
    expect_equal(log_tell(&line, &end), 0);
    expect(end > third);
    expect_equal(log_seek(&line, third), 0);
    expect_record(&line, 6, 5);
    expect_equal(log_seek(&line, third - 1), 0);
    expect_equal(log_tell(&line, &position), 0);
    expect_equal(position, third);
    expect_equal(log_seek(&line, end + 1000), 0);
    expect_end(&line);
}

/* A reader that has kept its position misses nothing that is appended after an erasure, however
 * much that is. */
static void expect_larger_positions(struct log *log, bool starts)
{
    uint32_t before, after;

    expect_equal(append(log, 1, LARGE), 0);
    expect_equal(append(log, 2, 10), 0);
    expect_equal(log_sync(log), 0);
    expect_equal(log_seek(log, LOG_NEWEST), 0);
    expect_equal(log_tell(log, &before), 0);
    for (uint16_t rounds = 0; rounds < 3; rounds++) {
        expect_equal(log_erase(log), 0);
        if (starts) {
            forget(log);
        }
        expect_end(log);
        expect_equal(append(log, 3, LARGE), 0);
        expect_equal(append(log, 4, LARGE), 0);
        expect_equal(append(log, 5, LARGE), 0);
        expect_equal(log_seek(log, before), 0);
        expect_record(log, 3, LARGE);
        expect_equal(log_tell(log, &after), 0);
        expect(after > before);
        before = after;
    }
    expect_equal(log_erase(log), 0);
    expect_end(log);
}

TEST(positions_grow_when_records_are_erased)
{
    expect_larger_positions(&line, false);
    expect_larger_positions(&line, true);
    expect_larger_positions(&ring, false);
    expect_larger_positions(&ring, true);
}

TEST(a_full_log_refuses_records_and_keeps_those_it_has)
{
    unsigned count = 0;

    expect_equal(log_erase(&line), 0);
    while (append(&line, (uint16_t)(100 + count), LARGE) == 0) {
        count++;
    }
    expect_equal(count, 4);
    expect_equal(append(&line, 1, 1), ERR_FULL);
    expect_equal(log_sync(&line), 0);
    forget(&line);
    expect_equal(append(&line, 1, 1), ERR_FULL);
    for (uint16_t i = 0; i < count; i++) {
        expect_record(&line, 100 + i, LARGE);
    }
    expect_end(&line);
    expect_equal(log_erase(&line), 0);
    expect_equal(append(&line, 1, 1), 0);
}

/* The records from the reader on are one after the other up to `newest`.
 * returns   how many there are
 */
static unsigned count_up_to(uint16_t newest)
{
    unsigned count = 0;
    size_t length = sizeof(record);
    uint16_t number = 0;

    for (; log_read(&ring, record, &length) == 0; length = sizeof(record)) {
        uint16_t next = (uint16_t)(record[0] | record[1] << 8);
        expect(count == 0 || next == number + 1);
        expect_equal(length, LARGE);
        number = next;
        count++;
    }
    expect_equal(number, newest);
    return count;
}

TEST(a_circular_log_keeps_the_newest_for_ever)
{
    for (uint16_t number = 1; number <= 40; number++) {
        expect_equal(append(&ring, number, LARGE), 0);
        if (number % 3 == 0) {
            expect_equal(log_sync(&ring), 0);
            forget(&ring);
        } else {
            expect_equal(log_seek(&ring, LOG_OLDEST), 0);
        }
        unsigned count = count_up_to(number);
        expect(count >= (number < 4 ? number : 4u));
        expect(count <= 6);
    }
}

TEST(a_position_that_is_gone_is_the_oldest_one)
{
    uint32_t oldest, position;

    expect_equal(log_seek(&ring, LOG_OLDEST), 0);
    expect_equal(log_tell(&ring, &oldest), 0);
    expect_equal(log_seek(&ring, 1), 0);
    expect_equal(log_tell(&ring, &position), 0);
    expect_equal(position, oldest);
    expect(oldest > 0);
}

TEST(a_reader_that_is_overtaken_goes_on_at_the_oldest_record)
{
    expect_equal(log_seek(&ring, LOG_OLDEST), 0);
    for (uint16_t number = 41; number <= 60; number++) {
        expect_equal(append(&ring, number, LARGE), 0);
    }
    expect(count_up_to(60) >= 4);
}

TEST(a_page_is_written_in_the_time_that_is_promised)
{
    expect_equal(append(&ring, 61, 1), 0);
    uint64_t start = time_now_us();
    expect_equal(log_sync(&ring), 0);
    expect(time_now_us() - start < WRITE_MS * TIME_US_PER_MS);
    start = time_now_us();
    expect_equal(log_sync(&ring), 0);
    expect(time_now_us() - start < TIME_US_PER_MS * 3);
}

static SEMAPHORE(finished, 0);

static void write_often(struct log *log)
{
    static const uint8_t some[20] = {1};

    for (unsigned i = 0; i < 12; i++) {
        if (log_append(log, some, sizeof(some)) != 0 || log_sync(log) != 0) {
            expect(false);
        }
    }
    (void)semaphore_post(&finished);
}

THREAD_STOPPED(one, 384, PRIORITY_APP + 1)
{
    write_often(&line);
}

THREAD_STOPPED(two, 384, PRIORITY_APP)
{
    write_often(&ring);
}

TEST(threads_take_turns)
{
    expect_equal(log_erase(&line), 0);
    expect_equal(log_erase(&ring), 0);
    expect_equal(thread_start(&one, 0), 0);
    expect_equal(thread_start(&two, 0), 0);
    semaphore_wait(&finished);
    semaphore_wait(&finished);
    unsigned count = 0;
    size_t length = sizeof(record);
    for (; log_read(&line, record, &length) == 0; length = sizeof(record)) {
        count++;
    }
    for (; log_read(&ring, record, &length) == 0; length = sizeof(record)) {
        count++;
    }
    expect_equal(count, 24);
}

/* What it has synchronized is there; what it was writing may be. */
TEST(a_thread_that_ends_in_its_turn_leaves_a_log_that_works)
{
    for (unsigned delay_ms = 10; delay_ms < 90; delay_ms += 3) {
        expect_equal(log_erase(&ring), 0);
        expect_equal(append(&ring, 1, LARGE), 0);
        expect_equal(log_sync(&ring), 0);
        expect_equal(thread_start(&two, 0), 0);
        sleep_ms(delay_ms);
        thread_destroy(&two);
        expect_record(&ring, 1, LARGE);
        expect_equal(append(&ring, 2, 10), 0);
        expect_equal(log_sync(&ring), 0);
    }
}
