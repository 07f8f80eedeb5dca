/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The same and a shell with `help` alone. */
#include <lichen/print.h>
#include <lichen/shell.h>
#include <lichen/thread.h>
#include <lichen/time.h>

SHELL(SHELL_STACK, PRIORITY_LOW);

THREAD(bench, 640, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(50);
        print("%lu %s\n", 17ul, TEXT("of many"));
    }
}
