/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The C library's header; a call of what needs files under it is an error that says what there is.
 */
#ifndef LICHEN_C_STDIO_H
#define LICHEN_C_STDIO_H

#include_next <stdio.h>

#undef getchar
#undef putchar
#undef puts

#define STDIO_ABSENT(text) __attribute__((error(text)))

STDIO_ABSENT("Lichen has no printf; write print (<lichen/print.h>)")
int printf(const char *format, ...);
STDIO_ABSENT("Lichen has no puts; write print(\"%s\\n\", text) (<lichen/print.h>)")
int puts(const char *text);
STDIO_ABSENT("Lichen has no putchar; write print(\"%c\", character) (<lichen/print.h>)")
int putchar(int character);
STDIO_ABSENT("Lichen has no getchar; write console_read (<lichen/console.h>)")
int getchar(void);
STDIO_ABSENT(
    "Lichen has no sprintf; write print_into (<lichen/print.h>), which knows the buffer's size")
int sprintf(char *buffer, const char *format, ...);
STDIO_ABSENT("Lichen has no snprintf; write print_into (<lichen/print.h>)")
int snprintf(char *buffer, size_t size, const char *format, ...);

#endif
