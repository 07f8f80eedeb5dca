/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An image that keeps a log of its own beside one of programs: each record is read when it was made
 * safe. It lies in RAM for a while before, where it is lost if storage forgets what is there.
 */
#include <lichen/loader.h>
#include <lichen/loader_serial.h>
#include <lichen/log.h>
#include <lichen/partition.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

LOADER(PRIORITY_HIGH);
LOADER_SERIAL("keeps");

PROGRAM_LOG(diary, 1000);

LOG_CIRCULAR(own, 1000);

/* Whether the log has the number behind what was read before. */
static bool has(uint16_t number)
{
    uint16_t got;
    size_t length;
    int error;

    do {
        length = sizeof(got);
        error = log_read(&own, &got, &length);
    } while (error == 0 && got != number);
    return error == 0;
}

THREAD(keeper, 576, PRIORITY_APP)
{
    uint16_t number = 0;
    uint16_t lost = 0;

    for (;;) {
        number++;
        int error = log_append(&own, &number, sizeof(number));
        sleep_ms(60);
        if (error == 0) {
            error = log_sync(&own);
        }
        lost += error != 0 || !has(number);
        if (number % 40 == 0) {
            print("keeps: %u of %u lost\n", lost, number);
        }
    }
}
