/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The formatter: a table of every conversion with flags and widths, and the limits of its buffer.
 */
#include <lichen/error.h>
#include <lichen/print.h>

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "test.h"

static char text[80];

/* Formats into `text` and compares. */
#define expect_text(wanted, ...)                                                                   \
    do {                                                                                           \
        size_t length = print_into(text, sizeof(text), __VA_ARGS__);                               \
        expect(strcmp(text, wanted) == 0);                                                         \
        expect_equal(length, strlen(wanted));                                                      \
    } while (0)

TEST(text_without_conversions)
{
    expect_text("", "%s", "");
    expect_text("plain", "plain");
    expect_text("100 %", "100 %%");
}

TEST(signed_decimals)
{
    expect_text("0", "%d", 0);
    expect_text("-1", "%d", -1);
    expect_text(INT_MAX == 32767 ? "32767" : "2147483647", "%d", INT_MAX);
    expect_text(INT_MAX == 32767 ? "-32768" : "-2147483648", "%i", INT_MIN);
    expect_text("2147483647", "%ld", LONG_MAX);
    expect_text("-2147483648", "%ld", LONG_MIN);
    expect_text("-9223372036854775808", "%lld", LLONG_MIN);
    expect_text("9223372036854775807", "%lld", LLONG_MAX);
}

TEST(unsigned_decimals)
{
    expect_text("0", "%u", 0u);
    expect_text("65536", "%lu", 65536ul);
    expect_text(UINT_MAX == 65535 ? "65535" : "4294967295", "%u", UINT_MAX);
    expect_text("4294967295", "%lu", ULONG_MAX);
    expect_text("4294967296", "%llu", 4294967296ull);
    expect_text("18446744073709551615", "%llu", ULLONG_MAX);
    expect_text("10000000000000000000", "%llu", 10000000000000000000ull);
}

TEST(hexadecimals)
{
    expect_text("0", "%x", 0u);
    expect_text(UINT_MAX == 0xffff ? "ffff" : "ffffffff", "%x", UINT_MAX);
    expect_text("deadbeef", "%lx", 0xdeadbeeful);
    expect_text("123456789abcdef0", "%llx", 0x123456789abcdef0ull);
}

TEST(widths_of_numbers)
{
    expect_text("   42", "%5d", 42);
    expect_text("  -42", "%5d", -42);
    expect_text("00042", "%05d", 42);
    expect_text("-0042", "%05d", -42);
    expect_text("42   |", "%-5d|", 42);
    expect_text("-42  |", "%-5d|", -42);
    expect_text("12345", "%3d", 12345);
    expect_text("-12345", "%03d", -12345);
    expect_text("0000beef", "%08lx", 0xbeeful);
    expect_text("   42", "%*d", 5, 42);
    expect_text("42   |", "%*d|", -5, 42);
}

TEST(strings_and_characters)
{
    const char *volatile nothing = NULL; /* hidden from the compiler, which would warn */

    expect_text("mote", "%s", "mote");
    expect_text("    mote", "%8s", "mote");
    expect_text("mote    |", "%-8s|", "mote");
    expect_text("(null)", "%s", nothing);
    expect_text("x", "%c", 'x');
    expect_text("  x", "%3c", 'x');
    expect_text("a1b2", "%c%d%s", 'a', 1, "b2");
}

TEST(errors_have_names)
{
    expect_text("ERR_NONE", "%s", error_name(ERR_NONE));
    expect_text("ERR_TIMEOUT", "%s", error_name(ERR_TIMEOUT));
    expect_text("ERR_BUSY", "%s", error_name(ERR_BUSY));
    expect_text("ERR_CANCELLED", "%s", error_name(ERR_CANCELLED));
    expect_text("ERR_INVALID", "%s", error_name(ERR_INVALID));
    expect_text("ERR_FULL", "%s", error_name(ERR_FULL));
    expect_text("ERR_EMPTY", "%s", error_name(ERR_EMPTY));
    expect_text("ERR_IO", "%s", error_name(ERR_IO));
    expect_text("ERR_ABANDONED", "%s", error_name(ERR_ABANDONED));
    expect_text("ERR_CORRUPT", "%s", error_name(ERR_CORRUPT));
    expect_text("no error of the system", "%s", error_name(ERR_NO_ACK + 1));
    expect_text("no error of the system", "%s", error_name(-1));
}

TEST(long_and_short_arguments_do_not_mix_up)
{
    expect_text("1 2 3 4", "%d %lld %u %ld", 1, 2ll, 3u, 4l);
}

TEST(a_buffer_too_small_cuts_and_reports_the_whole_length)
{
    memset(text, '#', sizeof(text));
    expect_equal(print_into(text, 4, "%s", "abcdef"), 6);
    expect(memcmp(text, "abc\0#", 5) == 0);
}

TEST(a_buffer_that_just_fits_is_not_cut)
{
    memset(text, '#', sizeof(text));
    expect_equal(print_into(text, 7, "%s", "abcdef"), 6);
    expect(memcmp(text, "abcdef\0#", 8) == 0);
}

TEST(a_buffer_of_no_bytes_is_not_touched)
{
    text[0] = '#';
    expect_equal(print_into(text, 0, "%d", 123), 3);
    expect_equal(text[0], '#');
}
