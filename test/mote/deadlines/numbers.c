/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Numbers of 64 bits, as the architecture compares, adds and subtracts them in memory. */
#include "random.h"
#include "test.h"

#define TRIES_OF_NUMBERS 200u

static void expect_compared(uint64_t one, uint64_t other)
{
    uint64_t between = other - one;

    expect_equal(arch_u64_less(&one, &other), one < other);
    expect_equal(arch_u64_between(&one, &other), between <= UINT32_MAX ? between : UINT32_MAX);
}

static void expect_added(uint64_t one, uint64_t other, bool carry)
{
    uint64_t sum = one;

    arch_u64_add(&sum, &other, carry);
    expect_equal((int64_t)sum, (int64_t)(one + other + carry));
}

static void expect_right(uint64_t one, uint64_t other)
{
    expect_compared(one, other);
    expect_compared(other, one);
    expect_compared(one, one);
    expect_added(one, other, false);
    expect_added(one, other, true);
}

TEST(numbers_of_64_bits_are_compared_and_added_in_memory)
{
    for (unsigned i = 0; i < TRIES_OF_NUMBERS; i++) {
        expect_right(random_of(63), random_of(63));
    }
}

/* A carry from each bit into all above it, and differences in one bit. */
TEST(numbers_that_differ_in_a_bit_are_not_equal)
{
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t number = UINT64_C(1) << bit;
        expect_right(0, number);
        expect_right(number - 1, number);
        expect_right(UINT64_MAX, number);
    }
}
