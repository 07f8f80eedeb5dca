/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Formatted text to the console, in pieces of a few bytes. */
#include <lichen/print.h>

#include <stdint.h>

#include "driver/console/format.h"
#include "driver/console/output.h"

enum {
    PIECE_SIZE = 32, /* characters gathered on the caller's stack for one kernel call */
};

struct console_sink {
    struct format_sink sink;
    uint8_t length;
    char piece[PIECE_SIZE];
};

static void flush(struct console_sink *console)
{
    console_send(console->piece, console->length);
    console->length = 0;
}

static void gather(struct console_sink *console, char character)
{
    console->piece[console->length++] = character;
    if (console->length == PIECE_SIZE) {
        flush(console);
    }
}

static void put_to_console(struct format_sink *sink, char character)
{
    struct console_sink *console = (struct console_sink *)sink;

    if (character == '\n') {
        gather(console, '\r');
    }
    gather(console, character);
}

void(print)(const char *format, ...)
{
    struct console_sink console = {.sink = {put_to_console}, .length = 0};
    va_list arguments;

    console_claim();
    va_start(arguments, format);
    format_text(&console.sink, format, arguments);
    va_end(arguments);
    flush(&console);
    console_release();
}
