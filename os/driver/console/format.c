/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The formatter behind print: parse one conversion, turn its argument into text, pad, emit.
 *
 * Numbers are 64 bits wide throughout, so that there is one path. Division by the base works on
 * 16-bit limbs with 32-bit divisions, and skips limbs that are zero: the processors have no
 * division instruction, and the library's 64-bit division would take more flash than this whole
 * file.
 */
#include "driver/console/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lichen/arch.h>

enum {
    LIMBS = 4,
    LIMB_BITS = 16,
    DIGITS_MAX = 20, /* of 2^64 - 1 in decimal */
};

enum length {
    LENGTH_INT,
    LENGTH_LONG,
    LENGTH_LONG_LONG,
};

/* One conversion, as written: %-08lx. */
struct conversion {
    bool left;
    bool zeros;
    int width;
    enum length length;
    char kind;
};

static void put_repeated(struct format_sink *sink, char character, int count)
{
    while (count-- > 0) {
        sink->put(sink, character);
    }
}

static void put_padded(struct format_sink *sink, const struct conversion *conversion,
                       const char *text, size_t length)
{
    int padding = conversion->width > (int)length ? conversion->width - (int)length : 0;

    if (!conversion->left) {
        put_repeated(sink, ' ', padding);
    }
    for (size_t i = 0; i < length; i++) {
        sink->put(sink, arch_text(&text[i]));
    }
    if (conversion->left) {
        put_repeated(sink, ' ', padding);
    }
}

/* Divides `value`, most significant limb first, by `base` and returns the remainder. */
static unsigned divide(uint16_t value[LIMBS], unsigned base)
{
    uint32_t rest = 0;

    for (unsigned i = 0; i < LIMBS; i++) {
        rest = rest << LIMB_BITS | value[i];
        if (rest != 0) {
            value[i] = (uint16_t)(rest / base);
            rest %= base;
        }
    }
    return (unsigned)rest;
}

static bool is_zero(const uint16_t value[LIMBS])
{
    return (value[0] | value[1] | value[2] | value[3]) == 0;
}

/* Writes the digits so that they end before `end`; returns the first. */
static char *digits_before(char *end, uint64_t number, unsigned base)
{
    const char *digits = ARCH_TEXT("0123456789abcdef");
    uint16_t value[LIMBS] = {(uint16_t)(number >> 48), (uint16_t)(number >> 32),
                             (uint16_t)(number >> 16), (uint16_t)number};

    do {
        *--end = arch_text(&digits[divide(value, base)]);
    } while (!is_zero(value));
    return end;
}

static void put_number(struct format_sink *sink, struct conversion *conversion, uint64_t number,
                       bool negative)
{
    char text[DIGITS_MAX + 1];
    char *end = text + sizeof(text);
    char *first = digits_before(end, number, conversion->kind == 'x' ? 16 : 10);

    if (conversion->zeros && !conversion->left) {
        if (negative) {
            sink->put(sink, '-');
        }
        put_repeated(sink, '0', conversion->width - (int)(end - first) - negative);
        conversion->width = 0;
    } else if (negative) {
        *--first = '-';
    }
    put_padded(sink, conversion, first, (size_t)(end - first));
}

static uint64_t unsigned_argument(enum length length, va_list *arguments)
{
    switch (length) {
    case LENGTH_LONG:
        return va_arg(*arguments, unsigned long);
    case LENGTH_LONG_LONG:
        return va_arg(*arguments, unsigned long long);
    default:
        return va_arg(*arguments, unsigned);
    }
}

static int64_t signed_argument(enum length length, va_list *arguments)
{
    switch (length) {
    case LENGTH_LONG:
        return va_arg(*arguments, long);
    case LENGTH_LONG_LONG:
        return va_arg(*arguments, long long);
    default:
        return va_arg(*arguments, int);
    }
}

static void put_signed(struct format_sink *sink, struct conversion *conversion, int64_t number)
{
    uint64_t magnitude = number < 0 ? -(uint64_t)number : (uint64_t)number;

    put_number(sink, conversion, magnitude, number < 0);
}

static void put_string(struct format_sink *sink, const struct conversion *conversion,
                       const char *text)
{
    size_t length = 0;

    if (text == NULL) {
        text = ARCH_TEXT("(null)");
    }
    while (arch_text(&text[length]) != '\0') {
        length++;
    }
    put_padded(sink, conversion, text, length);
}

static bool is_flag(char character)
{
    return character == '-' || character == '0';
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/* Reads flags, width and length after the percent sign; returns the place after the conversion's
 * letter. If the width is an argument and negative, it pads on the right, as in C. */
static const char *parse(struct conversion *conversion, const char *format, va_list *arguments)
{
    *conversion = (struct conversion){0};
    for (; is_flag(arch_text(format)); format++) {
        *(arch_text(format) == '-' ? &conversion->left : &conversion->zeros) = true;
    }
    if (arch_text(format) == '*') {
        int width = va_arg(*arguments, int);

        conversion->left |= width < 0;
        conversion->width = width < 0 ? -width : width;
        format++;
    }
    for (; is_digit(arch_text(format)); format++) {
        conversion->width = conversion->width * 10 + (arch_text(format) - '0');
    }
    for (; arch_text(format) == 'l' && conversion->length < LENGTH_LONG_LONG; format++) {
        conversion->length++;
    }
    conversion->kind = arch_text(format);
    return conversion->kind == '\0' ? format : format + 1;
}

/* Returns false if the conversion is unknown. */
static bool put_argument(struct format_sink *sink, struct conversion *conversion,
                         va_list *arguments)
{
    char character;

    switch (conversion->kind) {
    case 'd':
    case 'i':
        put_signed(sink, conversion, signed_argument(conversion->length, arguments));
        return true;
    case 'u':
    case 'x':
        put_number(sink, conversion, unsigned_argument(conversion->length, arguments), false);
        return true;
    case 's':
        put_string(sink, conversion, va_arg(*arguments, const char *));
        return true;
    case 'c':
        character = (char)va_arg(*arguments, int);
        put_padded(sink, conversion, &character, 1);
        return true;
    case '%':
        sink->put(sink, '%');
        return true;
    default:
        return false;
    }
}

void format_text(struct format_sink *sink, const char *format, va_list arguments)
{
    va_list rest;

    va_copy(rest, arguments);
    while (arch_text(format) != '\0') {
        struct conversion conversion;
        const char *start = format;

        if (arch_text(format) != '%') {
            sink->put(sink, arch_text(format++));
            continue;
        }
        format = parse(&conversion, format + 1, &rest);
        if (!put_argument(sink, &conversion, &rest)) {
            while (start < format) {
                sink->put(sink, arch_text(start++));
            }
        }
    }
    va_end(rest);
}
