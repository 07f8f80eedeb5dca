/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Echo: every line that is typed comes back, with its number.
 *
 * console_read_line waits in the deepest sleep. The start bit of the first character starts the
 * serial port's clock, and the complete character wakes the processor: nothing polls, and while
 * nobody types the mote draws no more than an idle one.
 *
 *     echo "good morning" | ./lichen run echo --for 1s
 */
#include <lichen/console.h>
#include <lichen/print.h>
#include <lichen/thread.h>

#define LINE_SIZE 80

THREAD(echo, 640, PRIORITY_APP)
{
    static char line[LINE_SIZE];

    print("Type a line, and it comes back.\n");
    for (unsigned number = 1;; number++) {
        console_read_line(line, sizeof(line));
        print("%u: %s\n", number, line);
    }
}
