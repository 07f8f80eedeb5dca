/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A line is read into less than is said.
 *
 * error: test/refused/console_read_line_too_large.c:14:11: the buffer is smaller than the size that
 *        is given
 * help: write sizeof and its name
 */
#include <lichen/console.h>
#include <lichen/thread.h>

THREAD(reads, 512, PRIORITY_APP)
{
    char line[20];
    (void)console_read_line(line, 60);
}
