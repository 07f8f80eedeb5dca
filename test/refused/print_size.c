/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A size, whose length print does not know.
 *
 * error: test/refused/print_size.c:14: print has no `%zu', which this format uses: "%zu\n"
 * help: cast the argument: (unsigned) for %u, (unsigned long) for %lu
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    print("%zu\n", sizeof(int));
}
