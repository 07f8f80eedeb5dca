/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program that does nothing but write its log, which is named as that of diary. */
#include <lichen/log.h>
#include <lichen/print.h>
#include <lichen/thread.h>

LOG_CIRCULAR(diary, 1000);

THREAD(writer, 576, PRIORITY_APP)
{
    uint8_t record = 0;
    int error = 0;

    while (error == 0) {
        record++;
        error = log_append(&diary, &record, sizeof(record));
        if (error == 0) {
            error = log_sync(&diary);
        }
    }
    print("scribbles: error %d\n", error);
}
