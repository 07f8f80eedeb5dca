/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A command, and no shell.
 *
 * error: test/refused/shell_command_without_shell.c:12: a SHELL_COMMAND, and no SHELL that runs
 *        it
 * help: write SHELL(SHELL_STACK, PRIORITY_LOW); in one of the files, or take the command away
 */
#include <lichen/print.h>
#include <lichen/shell.h>
#include <lichen/thread.h>

SHELL_COMMAND(stat, "", "prints the statistics")
{
    print("none\n");
}

THREAD(works, 256, PRIORITY_APP)
{
}
