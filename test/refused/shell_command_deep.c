/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A command of the shell that needs more than the shell's stack.
 *
 * refused: the stack of thread `shell' has 640 bytes and may need
 */
#include <string.h>

#include <lichen/print.h>
#include <lichen/shell.h>

SHELL(640, PRIORITY_LOW);

SHELL_COMMAND(show, "", "shows much")
{
    char line[800];
    memset(line, 'a', sizeof(line) - 1);
    line[sizeof(line) - 1] = '\0';
    print("%s\n", line);
}
