/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Most cycles that memcpy, memset and memcmp take, with a call through a pointer: less than those
 * of the C library (os/arch/armv6m), which takes 71, 152, 85, 151 and 239 to copy. The same names
 * for every chip. */
#ifndef MEMORY_OF_CHIP_H
#define MEMORY_OF_CHIP_H

/* Of `length` bytes: copied, between words and to an odd address; filled; equal ones compared. */
struct memory_cost {
    unsigned length, copy, copy_odd, fill, compare;
};

#define MEMORY_COSTS                                                                               \
    {                                                                                              \
        {4, 37, 52, 40, 45}, {13, 56, 115, 55, 74}, {16, 51, 136, 38, 72}, {64, 90, 472, 74, 180}, \
        {                                                                                          \
            128, 142, 920, 122, 324                                                                \
        }                                                                                          \
    }

#endif
