/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A format has a pointer, which print does not know.
 *
 * error: test/refused/print_p.c:16: print has no `%p', which this format uses: "%p %X %x %5d
 *        %-5d| %05u %c %ld %lu %llu %%\n"
 * help: print an address as a number: 0x%lx, with (unsigned long)(uintptr_t)pointer
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>
static int g;

THREAD(t, 512, PRIORITY_APP)
{
    print("%p %X %x %5d %-5d| %05u %c %ld %lu %llu %%\n", &g, 255, 255, 7, 7, 42, 'c', 1L, 2UL,
          3ULL);
}
