/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program with a log: it prints how many records it finds, and then adds one every 100 ms, the
 * number of the record, which it syncs each time.
 */
#include <lichen/log.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    PERIOD_MS = 100,
};

LOG_CIRCULAR(diary, 1000);

static uint32_t next; /* the number of the next record */

/* Records follow each other without a gap; the oldest ones may be gone.
 * returns   ERR_EMPTY, or what is wrong
 */
static int read_all(unsigned *count)
{
    uint32_t number;
    size_t length = sizeof(number);
    int error;

    while ((error = log_read(&diary, &number, &length)) == 0) {
        if (length != sizeof(number) || (*count != 0 && number != next)) {
            return ERR_CORRUPT;
        }
        next = number + 1;
        ++*count;
    }
    return error;
}

THREAD(writer, ARCH_FLASH_IS_APART ? 360 : 576, PRIORITY_APP)
{
    unsigned count = 0;
    int error = read_all(&count);

    print("diary: %u records, error %d, %lu is next\n", count, error == ERR_EMPTY ? 0 : error,
          (unsigned long)next);
    for (error = 0; error == 0; next++) {
        error = log_append(&diary, &next, sizeof(next));
        if (error == 0) {
            error = log_sync(&diary);
        }
        sleep_ms(PERIOD_MS);
    }
    print("diary: error %d\n", error);
}
