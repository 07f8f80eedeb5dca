/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A format of inttypes.h.
 *
 * error: test/refused/print_inttypes.c:16:15: print has no `PRIu64'
 * help: write %llu in the text; %llu and %lld are for 64 bits, %lu and %ld for 32, %u and %d for
 *        less
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>
#include <inttypes.h>

THREAD(t, 512, PRIORITY_APP)
{
    uint64_t now = 3;
    print("%" PRIu64 "\n", now);
}
