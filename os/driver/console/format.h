/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Turns a format and its arguments into characters, one at a time. */
#ifndef DRIVER_CONSOLE_FORMAT_H
#define DRIVER_CONSOLE_FORMAT_H

#include <stdarg.h>

/* Receives the characters. Embed it in a struct of your own to reach your own fields. */
struct format_sink {
    void (*put)(struct format_sink *sink, char character);
};

/* Formats as <lichen/print.h> describes. */
void format_text(struct format_sink *sink, const char *format, va_list arguments);

#endif
