/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Most cycles that memcpy, memset and memcmp of the C library take
 * (memory/samr21/memory_of_chip.h has the names). */
#ifndef MEMORY_OF_CHIP_H
#define MEMORY_OF_CHIP_H

/* Of `length` bytes: copied, between words and to an odd address; filled; equal ones compared. */
struct memory_cost {
    unsigned length, copy, copy_odd, fill, compare;
};

#define MEMORY_COSTS                                                                               \
    {                                                                                              \
        {4, 53, 53, 40, 64}, {13, 125, 125, 94, 154}, {16, 149, 149, 112, 184},                    \
            {64, 533, 533, 400, 664},                                                              \
        {                                                                                          \
            128, 1045, 1045, 784, 1304                                                             \
        }                                                                                          \
    }

#endif
