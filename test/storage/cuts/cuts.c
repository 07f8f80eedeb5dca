/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Writes storage without a pause, for a host that cuts the power at any moment
 * (host/cli/tests/power_cuts.rs). The lines that it prints:
 *
 *     log 17 41       at the start: the records 17 to 41 are in the log, one after the other
 *     broken ...      at the start, and never right: something else is there
 *     block 9 9       at the start: the round that the volume has at its two ends
 *     ready
 *     synced 44       the records up to 44 are safe
 *     wrote 10        so is round 10 of the volume
 *     failed ...      never right either
 *
 * A record has its number, and then bytes that follow from it. The ring is small, so that it wraps
 * often; a volume's round is in the first and the last bytes of one page.
 */
#include <lichen/block.h>
#include <lichen/log.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    MOST = 64,            /* bytes of a record */
    ROUND_AT = 244,       /* the last four bytes of a page */
    APPENDED_AT_ONCE = 4, /* at most, and synchronized then */
};

LOG_CIRCULAR(ring, 3 * 248);
VOLUME(volume, 2 * 248);

static uint8_t record[MOST];

static size_t length_of(uint32_t number)
{
    return sizeof(number) + number * 7 % (MOST - sizeof(number));
}

static uint8_t byte_of(uint32_t number, size_t index)
{
    return index < sizeof(number) ? (uint8_t)(number >> 8 * index) : (uint8_t)(number + 3 * index);
}

static void make_record(uint32_t number)
{
    for (size_t i = 0; i < length_of(number); i++) {
        record[i] = byte_of(number, i);
    }
}

static bool is_right(size_t length, uint32_t number)
{
    bool right = length == length_of(number);

    for (size_t i = 0; i < length; i++) {
        right = right && record[i] == byte_of(number, i);
    }
    return right;
}

static uint32_t number_here(void)
{
    return (uint32_t)record[0] | (uint32_t)record[1] << 8 | (uint32_t)record[2] << 16 |
           (uint32_t)record[3] << 24;
}

/* Reads the log and prints what is in it.
 * returns   the number of the next record
 */
static uint32_t read_log(void)
{
    uint32_t first = 0, next = 0;
    size_t length = sizeof(record);
    int error = log_read(&ring, record, &length);

    for (; error == 0; length = sizeof(record), error = log_read(&ring, record, &length)) {
        uint32_t number = number_here();
        if (next == 0) {
            first = number;
        } else if (number != next) {
            print("broken %lu after %lu\n", (unsigned long)number, (unsigned long)next);
        }
        if (!is_right(length, number)) {
            print("broken in %lu\n", (unsigned long)number);
        }
        next = number + 1;
    }
    if (error != ERR_EMPTY) {
        print("broken: error %d\n", error);
    }
    print("log %lu %lu\n", (unsigned long)first, (unsigned long)(next == 0 ? 0 : next - 1));
    return next == 0 ? 1 : next;
}

static uint32_t read_block(void)
{
    uint32_t begins, ends;
    int error = block_read(&volume, 0, &begins, sizeof(begins));

    if (error == 0) {
        error = block_read(&volume, ROUND_AT, &ends, sizeof(ends));
    }
    if (error != 0) {
        print("broken: block error %d\n", error);
        return 0;
    }
    begins = begins == UINT32_MAX ? 0 : begins;
    ends = ends == UINT32_MAX ? 0 : ends;
    print("block %lu %lu\n", (unsigned long)begins, (unsigned long)ends);
    return begins;
}

/* Up to APPENDED_AT_ONCE records. */
static uint32_t log_some(uint32_t next)
{
    uint32_t many = 1 + next % APPENDED_AT_ONCE;
    int error = 0;

    for (; error == 0 && many > 0; many--, next++) {
        make_record(next);
        error = log_append(&ring, record, length_of(next));
    }
    if (error == 0) {
        error = log_sync(&ring);
    }
    if (error != 0) {
        print("failed: log error %d\n", error);
    } else {
        print("synced %lu\n", (unsigned long)(next - 1));
    }
    return next;
}

static void write_round(uint32_t round)
{
    int error = block_write(&volume, 0, &round, sizeof(round));

    if (error == 0) {
        error = block_write(&volume, ROUND_AT, &round, sizeof(round));
    }
    if (error == 0) {
        error = block_sync(&volume);
    }
    if (error != 0) {
        print("failed: block error %d\n", error);
    } else {
        print("wrote %lu\n", (unsigned long)round);
    }
}

THREAD(writer, 512, PRIORITY_APP)
{
    uint32_t next = read_log();
    uint32_t round = read_block();

    print("ready\n");
    for (;;) {
        next = log_some(next);
        next = log_some(next);
        write_round(++round);
    }
}
