/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A buffer is smaller than is said.
 *
 * error: test/refused/print_into_too_large.c:15:11: the buffer is smaller than the size that is
 *        given
 * help: write sizeof and its name
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    char b[8];
    (void)print_into(b, 16, "%d", 5);
    print("%s\n", b);
}
