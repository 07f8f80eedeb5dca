/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which receiver of the program a packet is for. */
#ifndef NET_AM_TAKER_H
#define NET_AM_TAKER_H

#include <lichen/link.h>

/* What the image has declared, by the linker. */
extern const ARCH_FLASH struct link_taker link_takers_begin[], link_takers_end[];

/* The receiver of a table that asks more precisely than `best`, or else that one. */
static inline __attribute__((always_inline)) const ARCH_FLASH struct link_taker *
taker_better(const ARCH_FLASH struct link_taker *best, const ARCH_FLASH struct link_taker *begin,
             const ARCH_FLASH struct link_taker *end, bool is_message, uint8_t type)
{
    for (const ARCH_FLASH struct link_taker *taker = begin; taker != end; taker++) {
        bool fits = taker->what == LINK_TAKES_ALL ||
                    (is_message && (taker->what == LINK_TAKES_MESSAGES || taker->type == type));
        if (fits && (best == 0 || taker->what > best->what)) {
            best = taker;
        }
    }
    return best;
}

/* The receiver that asks most precisely.
 * is_message   it is an active message, of this type
 * returns   0: nobody takes it
 * context   any
 */
typedef const ARCH_FLASH struct link_taker *taker_find_fn(bool is_message, uint8_t type);

static inline __attribute__((always_inline)) const ARCH_FLASH struct link_taker *
taker_find(bool is_message, uint8_t type)
{
    return taker_better(0, link_takers_begin, link_takers_end, is_message, type);
}

#endif
