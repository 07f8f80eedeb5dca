/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program with a volume and a counter: it prints what it finds in three pages, the last of which
 * only the image's volume has, with a number that never repeats. It then writes the next value to
 * all three every 100 ms. Behind that it writes UNSAFE to the first page, which it does not
 * synchronize. It fails at each 16th value.
 */
#include <lichen/assert.h>
#include <lichen/block.h>
#include <lichen/counter.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    PERIOD_MS = 100,
    PAGES = 3,
    APART = 2 * STORAGE_ROOM,
};

#define UNSAFE UINT32_C(1000000)

VOLUME(tally, PAGES *STORAGE_ROOM);
COUNTER(starts);

static int read_all(uint32_t *values)
{
    int error = 0;

    for (uint8_t page = 0; error == 0 && page < PAGES; page++) {
        error = block_read(&tally, page * APART, &values[page], sizeof(values[page]));
    }
    return error;
}

/* The first page first: it is in RAM, and what is unsafe there goes. */
static int write_all(uint32_t value)
{
    const uint32_t unsafe = value + UNSAFE;
    int error = 0;

    for (uint8_t page = 0; error == 0 && page < PAGES; page++) {
        error = block_write(&tally, page * APART, &value, sizeof(value));
    }
    if (error == 0) {
        error = block_sync(&tally);
    }
    return error == 0 ? block_write(&tally, 0, &unsafe, sizeof(unsafe)) : error;
}

THREAD(writer, 520, PRIORITY_APP)
{
    uint32_t values[PAGES];
    uint32_t number = 0;
    int error = read_all(values);

    if (error == 0) {
        error = counter_reserve(&starts);
    }
    if (error == 0) {
        error = counter_take(&starts, &number);
    }
    print("tally: %lu %lu %lu, number %lu, error %d\n", (unsigned long)values[0],
          (unsigned long)values[1], (unsigned long)values[2], (unsigned long)number, error);
    while (error == 0) {
        error = write_all(++values[0]);
        assert(error != 0 || values[0] % 16 != 15);
        sleep_ms(PERIOD_MS);
    }
    print("tally: error %d\n", error);
}
