/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread writes a log without a pause, and a more urgent one has the loader write flash. On the
 * SAM R21 both are written by one controller: neither disturbs the other.
 */
#include <lichen/loader.h>

#include <lichen/log.h>
#include <lichen/semaphore.h>
#include <lichen/time.h>

#include "../loader/container.h"
#include "test.h"

LOADER(PRIORITY_HIGH);

enum {
    RECORDS_A_PAGE = 2,
    CHANGES = 1200,
};

struct record {
    uint32_t number;
    uint8_t filled[110];
};

LOG_CIRCULAR(kept, 4096);
SEMAPHORE(begun, 0);
SEMAPHORE(ended, 0);

static volatile bool goes_on;
static int log_error;
static uint32_t written; /* records */

THREAD(writer, ARCH_FLASH_IS_APART ? 400 : 640, PRIORITY_LOW)
{
    static struct record record;

    semaphore_wait(&begun);
    while (log_error == 0 && goes_on) {
        record.number = written;
        log_error = log_append(&kept, &record, sizeof(record));
        if (log_error == 0) {
            log_error = log_sync(&kept);
            written++;
        }
    }
    (void)semaphore_post(&ended);
}

static void install(void)
{
    container_make(&(struct counting){.version = 1, .step = 1});
    expect_equal(loader_begin(0), 0);
    expect_equal(loader_feed(container, container_bytes), 0);
    expect_equal(loader_end(), 0);
}

/* Records follow each other to the last, and no page of them was skipped. */
static void expect_all(void)
{
    struct record record;
    uint32_t position;
    uint32_t next = 0;
    size_t length = sizeof(record);

    expect_equal(log_seek(&kept, LOG_OLDEST), 0);
    while (log_read(&kept, &record, &length) == 0) {
        expect(next == 0 || record.number == next);
        next = record.number + 1;
    }
    expect_equal(next, written);
    expect_equal(log_tell(&kept, &position), 0);
    expect_equal(position / 256, (written - 1) / RECORDS_A_PAGE);
}

TEST(a_log_that_is_written_meanwhile_is_whole)
{
    goes_on = true;
    expect_equal(log_erase(&kept), 0);
    install();
    (void)semaphore_post(&begun);
    for (unsigned i = 0; i < CHANGES; i++) {
        sleep_us(1000 + i * 211 % 29989);
        expect_equal(i % 2 == 0 ? loader_stop("cnt") : loader_start("cnt"), 0);
    }
    goes_on = false;
    semaphore_wait(&ended);
    expect_equal(log_error, 0);
    expect(written > CHANGES / 2);
    expect_all();
}
