/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Takes numbers from a counter, for a host that cuts the power at any moment
 * (host/cli/tests/counter_cuts.rs). The lines that it prints:
 *
 *     took 8192 9591    each number from the first to the last
 *     failed ...        never right
 *
 * A log and a volume are written in between, so that the counter has neighbours.
 */
#include <lichen/counter.h>
#include <lichen/log.h>
#include <lichen/print.h>
#include <lichen/thread.h>

enum {
    AT_ONCE = 1400, /* a third of a block */
};

LOG_CIRCULAR(neighbour, 248);
COUNTER(numbers);

static void fail(const char *what, int error)
{
    print("failed to %s: error %d\n", what, error);
}

static void take_some(void)
{
    uint32_t first = 0, last = 0;

    for (unsigned i = 0; i < AT_ONCE; i++) {
        int error = counter_take(&numbers, &last);
        if (error != 0) {
            fail(TEXT("take"), error);
            return;
        }
        first = i == 0 ? last : first;
    }
    print("took %lu %lu\n", (unsigned long)first, (unsigned long)last);
}

static void write_log(void)
{
    int error = log_append(&neighbour, "neighbour", 9);

    if (error == 0) {
        error = log_sync(&neighbour);
    }
    if (error != 0) {
        fail(TEXT("log"), error);
    }
}

THREAD(taker, 512, PRIORITY_APP)
{
    for (;;) {
        int error = counter_reserve(&numbers);
        if (error != 0) {
            fail(TEXT("reserve"), error);
        }
        take_some();
        write_log();
    }
}
