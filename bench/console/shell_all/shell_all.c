/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The same with all commands of the system. */
#include <lichen/print.h>
#include <lichen/shell.h>
#include <lichen/thread.h>
#include <lichen/time.h>

SHELL(SHELL_STACK, PRIORITY_LOW);
SHELL_USE(log);
SHELL_USE(panic);
SHELL_USE(ps);
SHELL_USE(reboot);
SHELL_USE(uptime);

THREAD(bench, 640, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(50);
        print("%lu %s\n", 17ul, TEXT("of many"));
    }
}
