/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Formatted text to the console, in pieces of a few bytes. */
#include <lichen/print.h>

#include "driver/console/output.h"

void console_sink_flush(struct console_sink *console)
{
    console_send(console->piece, console->length);
    console->length = 0;
}

static void gather(struct console_sink *console, char character)
{
    console->piece[console->length++] = character;
    if (console->length == PIECE_SIZE) {
        console_sink_flush(console);
    }
}

void console_sink_put(struct format_sink *sink, char character)
{
    struct console_sink *console = (struct console_sink *)sink;

    if (character == '\n') {
        gather(console, '\r');
    }
    gather(console, character);
}

void(print)(const char *format, ...)
{
    struct console_sink console = {.sink = {console_sink_put}, .length = 0};
    va_list arguments;

    console_claim();
    va_start(arguments, format);
    format_text(&console.sink, format, arguments);
    va_end(arguments);
    console_sink_flush(&console);
    console_release();
}
