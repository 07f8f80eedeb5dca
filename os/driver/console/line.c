/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Lines from the console.
 *
 * A line feed directly after a carriage return ends no line: the two are one line end. The last
 * byte is remembered between calls, since the line feed may come long after its line was returned.
 */
#include <lichen/console.h>

#undef console_read_line

#include <lichen/assert.h>

enum {
    BACKSPACE = 0x08,
    DELETE = 0x7f,
};

static bool after_return; /* the reading thread's */

/* True if `byte` ends a line. */
static bool ends_line(uint8_t byte)
{
    bool second_half = byte == '\n' && after_return;

    after_return = byte == '\r';
    return (byte == '\n' || byte == '\r') && !second_half;
}

/* `length` counts the characters that are dropped, too, so that backspace finds them. */
size_t console_read_line(char *line, size_t size)
{
    size_t length = 0;

    assert(size > 0);
    for (;;) {
        uint8_t byte = console_read();

        if (ends_line(byte)) {
            if (length > size - 1) {
                length = size - 1;
            }
            line[length] = '\0';
            return length;
        }
        if (byte == BACKSPACE || byte == DELETE) {
            length -= length > 0;
        } else if (byte != '\n') {
            if (length < size - 1) {
                line[length] = (char)byte;
            }
            length++;
        }
    }
}
