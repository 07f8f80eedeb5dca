/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which receiver of the program a packet is for. */
#ifndef NET_AM_TAKER_H
#define NET_AM_TAKER_H

#include <lichen/link.h>

/* What the program has declared, by the linker. */
extern const ARCH_FLASH struct link_taker link_takers_begin[], link_takers_end[];

/* The receiver that asks most precisely.
 * is_message   it is an active message, of this type
 * returns   0: nobody takes it
 * context   any
 */
static inline const ARCH_FLASH struct link_taker *taker_find(bool is_message, uint8_t type)
{
    const ARCH_FLASH struct link_taker *best = 0;

    for (const ARCH_FLASH struct link_taker *taker = link_takers_begin; taker != link_takers_end;
         taker++) {
        bool fits = taker->what == LINK_TAKES_ALL ||
                    (is_message && (taker->what == LINK_TAKES_MESSAGES || taker->type == type));
        if (fits && (best == 0 || taker->what > best->what)) {
            best = taker;
        }
    }
    return best;
}

#endif
