/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The arguments of print_into are swapped.
 *
 * error: test/refused/print_into_swapped.c:15:16: argument 1 of print_into is a number, not an
 *        address
 * help: size_t print_into(char *buffer, size_t size, const char *format, ...) (<lichen/print.h>)
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    char b[8];
    print_into(sizeof b, b, "%d", 5);
    print("%s\n", b);
}
