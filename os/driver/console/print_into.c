/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Formatted text into a buffer. Separate from print, so that a program that only formats does not
 * link the console. */
#include <lichen/print.h>

#include "driver/console/format.h"

struct buffer_sink {
    struct format_sink sink;
    char *buffer;
    size_t size;
    size_t length;
};

static void put_to_buffer(struct format_sink *sink, char character)
{
    struct buffer_sink *target = (struct buffer_sink *)sink;

    if (target->length + 1 < target->size) {
        target->buffer[target->length] = character;
    }
    target->length++;
}

size_t(print_into)(char *buffer, size_t size, const char *format, ...)
{
    struct buffer_sink target = {{put_to_buffer}, buffer, size, 0};
    va_list arguments;

    va_start(arguments, format);
    format_text(&target.sink, format, arguments);
    va_end(arguments);
    if (size > 0) {
        buffer[target.length < size ? target.length : size - 1] = '\0';
    }
    return target.length;
}
