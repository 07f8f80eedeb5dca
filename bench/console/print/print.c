/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What prints and sleeps, to compare with. */
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(bench, 640, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(50);
        print("%lu %s\n", 17ul, TEXT("of many"));
    }
}
