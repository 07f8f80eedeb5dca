/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Functions of the C library that need no operating system. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

TEST(texts_are_compared_copied_and_searched)
{
    char text[12] = "set";
    expect_equal(strcmp(text, "set"), 0);
    expect_equal(strncmp(text, "se7", 2), 0);
    expect_equal(strlen(strcat(text, " 3")), 5);
    expect(strchr(text, ' ') == text + 3);
    expect(strrchr(text, 't') == text + 2);
    expect(strstr(text, "t 3") == text + 2);
    expect(memchr(text, '3', sizeof(text)) == text + 4);
    memmove(text + 1, text, 5);
    expect_equal(memcmp(text, "sset 3", 6), 0);
}

TEST(a_text_is_taken_apart)
{
    char text[] = "GPRMC,12,,7";
    char *rest;
    expect_equal(strcmp(strtok_r(text, ",", &rest), "GPRMC"), 0);
    expect_equal(atoi(strtok_r(0, ",", &rest)), 12);
    expect_equal(atoi(strtok_r(0, ",", &rest)), 7);
    expect(strtok_r(0, ",", &rest) == 0);
}

TEST(numbers_are_read)
{
    char *end;
    expect_equal(atol("-70000"), -70000);
    expect_equal(strtol("0x1fz", &end, 0), 31);
    expect_equal(*end, 'z');
    expect_equal(strtoul("4000000000", &end, 10), 4000000000u);
    expect(isdigit('7') && isspace('\t') && toupper('a') == 'A');
}

static int descending(const void *left, const void *right)
{
    return *(const int *)right - *(const int *)left;
}

TEST(arrays_are_sorted_and_searched)
{
    int numbers[] = {3, 9, 4, 1};
    qsort(numbers, 4, sizeof(*numbers), descending);
    expect_equal(numbers[0], 9);
    expect_equal(numbers[3], 1);
    int four = 4;
    expect(bsearch(&four, numbers, 4, sizeof(*numbers), descending) == numbers + 1);
}

static volatile float two = 2.0f;

TEST(fractions_are_computed)
{
    expect_equal((long)(sqrtf(two) * 1000000.0f), 1414213);
    expect_equal((long)(expf(two) * 1000.0f), 7389);
}
