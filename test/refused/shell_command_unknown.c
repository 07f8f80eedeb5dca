/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A command of the system that does not exist.
 *
 * refused: undefined reference to `shell_command_nonsense'
 */
#include <lichen/shell.h>

SHELL(SHELL_STACK, PRIORITY_LOW);
SHELL_USE(ps);
SHELL_USE(nonsense);
