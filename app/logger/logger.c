/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Logger: a reading each second, kept through power cuts.
 *
 * The reading is the time; a real one would come from a sensor. Each is appended to a circular log
 * and synchronized, so that it is safe when its line is printed. After a start the program prints
 * what it finds: the readings of the last minutes, those from before the cut included.
 *
 *     ./lichen run logger --for 10s
 *     ./lichen run logger --for 10s --input app/logger/cut.txt
 */
#include <lichen/log.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

struct reading {
    uint32_t number; /* continues to count after a start */
    uint32_t seconds;
};

LOG_CIRCULAR(readings, 4 * 1024);

/* Prints what is in the log.
 * returns   the number of the next reading
 */
static uint32_t print_log(void)
{
    struct reading reading = {0};
    uint32_t next = 0;
    int error;

    do {
        size_t length = sizeof(reading);
        error = log_read(&readings, &reading, &length);
        if (error == 0) {
            print("found %lu of %lu s\n", (unsigned long)reading.number,
                  (unsigned long)reading.seconds);
            next = reading.number + 1;
        }
    } while (error == 0 || error == ERR_CORRUPT);
    if (error != ERR_EMPTY) {
        print("no storage: error %d\n", error);
    }
    return next;
}

THREAD(logger, 544, PRIORITY_APP)
{
    struct reading reading = {.number = print_log()};

    for (uint64_t due = TIME_US_PER_S;; due += TIME_US_PER_S) {
        sleep_until_us(due);
        reading.seconds = (uint32_t)(due / TIME_US_PER_S);
        int error = log_append(&readings, &reading, sizeof(reading));
        if (error == 0) {
            error = log_sync(&readings);
        }
        if (error != 0) {
            print("reading %lu is not kept: error %d\n", (unsigned long)reading.number, error);
        } else {
            print("kept %lu\n", (unsigned long)reading.number);
        }
        reading.number++;
    }
}
