/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* memcpy, memset and memcmp, at all alignments and of all lengths up to 64, against loops over
 * bytes; and what they cost at most, in cycles.
 */
#include <string.h>

#include <lichen/time.h>

#include "cost_of_chip.h"
#include "memory_of_chip.h"
#include "test.h"

enum {
    LENGTHS = 65,
    ALIGNMENTS = 4,
    MARGIN = 4,
    ROOM = MARGIN + ALIGNMENTS + LENGTHS + MARGIN,
    LONGEST = 128,
    ROUNDS = 8,
    LINE_MS = 20, /* in which a test's output is sent */
};

/* Else the compiler does what it knows of these functions itself. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile fill)(void *, int, size_t) = memset;
static int (*volatile compare)(const void *, const void *, size_t) = memcmp;

static _Alignas(4) uint8_t to[LONGEST + ROOM];
static _Alignas(4) uint8_t from[LONGEST + ROOM];

static uint8_t before(unsigned i)
{
    return (uint8_t)(0x80u + i);
}

static void prepare(void)
{
    for (unsigned i = 0; i < ROOM; i++) {
        to[i] = before(i);
        from[i] = (uint8_t)(i * 7u + 1u);
    }
}

/* Whether of `to` only the bytes from `begin` have changed, to `expected` from `first` in steps of
 * `step`. */
static bool is_changed(unsigned begin, unsigned length, uint8_t first, uint8_t step)
{
    for (unsigned i = 0; i < ROOM; i++) {
        unsigned at = i - begin;
        if (to[i] != (i >= begin && at < length ? (uint8_t)(first + at * step) : before(i))) {
            return false;
        }
    }
    return true;
}

static bool copies(unsigned begin, unsigned source, unsigned length)
{
    prepare();
    return copy(&to[begin], &from[source], length) == &to[begin] &&
           is_changed(begin, length, from[source], 7);
}

TEST(copies_of_all_alignments_and_lengths)
{
    for (unsigned begin = MARGIN; begin < MARGIN + ALIGNMENTS; begin++) {
        for (unsigned source = 0; source < ALIGNMENTS; source++) {
            for (unsigned length = 0; length < LENGTHS; length++) {
                expect(copies(begin, source, length));
            }
        }
    }
}

/* Of the value only the last byte counts. */
static bool fills(unsigned begin, int value, unsigned length)
{
    prepare();
    return fill(&to[begin], value, length) == &to[begin] &&
           is_changed(begin, length, (uint8_t)value, 0);
}

TEST(fills_of_all_alignments_and_lengths)
{
    for (unsigned begin = MARGIN; begin < MARGIN + ALIGNMENTS; begin++) {
        for (unsigned length = 0; length < LENGTHS; length++) {
            expect(fills(begin, 0, length));
            expect(fills(begin, -2, length));
            expect(fills(begin, 0x135, length));
        }
    }
}

static int sign(int number)
{
    return (number > 0) - (number < 0);
}

/* Compares texts that are equal up to `differs`, where one is larger, and differ the other way
 * round in the last byte and behind it. */
static bool compares(unsigned begin, unsigned other, unsigned length, unsigned differs)
{
    prepare();
    for (unsigned i = 0; i <= length; i++) {
        to[begin + i] = from[other + i];
    }
    to[begin + length] = 0xff;
    from[other + length] = 0;
    if (differs == length) {
        return compare(&to[begin], &from[other], length) == 0;
    }
    to[begin + length - 1] = 0xff;
    from[other + length - 1] = 0;
    to[begin + differs] = 0x7f;
    from[other + differs] = 0x80;
    return sign(compare(&to[begin], &from[other], length)) == -1 &&
           sign(compare(&from[other], &to[begin], length)) == 1;
}

TEST(comparisons_of_all_alignments_and_lengths)
{
    for (unsigned begin = MARGIN; begin < MARGIN + ALIGNMENTS; begin++) {
        for (unsigned other = 0; other < ALIGNMENTS; other++) {
            for (unsigned length = 0; length < LENGTHS; length++) {
                expect(compares(begin, other, length, length));
                expect(length == 0 || compares(begin, other, length, 0));
                expect(length == 0 || compares(begin, other, length, length / 2));
                expect(length == 0 || compares(begin, other, length, length - 1));
            }
        }
    }
}

enum call {
    COPY,
    FILL,
    COMPARE,
    NOTHING,
};

static cycles_t once(enum call call, unsigned odd, unsigned length)
{
    cycles_t begun = cycles_now();
    switch (call) {
    case COPY:
        (void)copy(&to[odd], from, length);
        break;
    case FILL:
        (void)fill(&to[odd], 0, length);
        break;
    case COMPARE:
        (void)compare(&to[odd], &from[odd], length);
        break;
    case NOTHING:
        break;
    }
    return cycles_now() - begun;
}

static unsigned cost(enum call call, unsigned odd, unsigned length)
{
    unsigned least = -1u;
    memset(to, 0, sizeof(to));
    memset(from, 0, sizeof(from));
    sleep_ms(LINE_MS);
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned cycles = (unsigned)once(call, odd, length);
        least = cycles < least ? cycles : least;
    }
    return least;
}

TEST(they_cost_at_most)
{
    static const struct memory_cost costs[] = MEMORY_COSTS;
    unsigned nothing = cost(NOTHING, 0, 0);
    for (unsigned i = 0; i < sizeof(costs) / sizeof(*costs); i++) {
        const struct memory_cost *row = &costs[i];
        expect(cost(COPY, 0, row->length) - nothing <= row->copy);
        expect(cost(COPY, 1, row->length) - nothing <= row->copy_odd);
        expect(cost(FILL, 0, row->length) - nothing <= row->fill);
        expect(cost(COMPARE, 0, row->length) - nothing <= row->compare);
    }
}
