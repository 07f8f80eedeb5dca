/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which receiver of the program a packet is for. */
#ifndef NET_AM_TAKER_H
#define NET_AM_TAKER_H

#include <lichen/link.h>

#include "kernel/program/walk.h"

/* In images that load programs. */
#pragma weak programs

/* What the image has declared, by the linker. */
extern const ARCH_FLASH struct link_taker link_takers_begin[], link_takers_end[];

/* A way to find the receiver that asks most precisely: among those of the image, or those of
 * programs that run, too.
 * is_message   it is an active message, of this type
 * returns   0: nobody takes it
 * context   any; event for those of programs
 */
typedef const ARCH_FLASH struct link_taker *taker_find_fn(bool is_message, uint8_t type);

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

static inline __attribute__((always_inline)) const ARCH_FLASH struct link_taker *
taker_find(bool is_message, uint8_t type)
{
    return taker_better(0, link_takers_begin, link_takers_end, is_message, type);
}

static inline const ARCH_FLASH struct link_taker *taker_find_of_programs(bool is_message,
                                                                         uint8_t type)
{
    const ARCH_FLASH struct link_taker *best = taker_find(is_message, type);

    for (const struct program *program = programs; program != 0; program = program->next) {
        const ARCH_FLASH struct link_taker *takers = program_takers(program);
        best =
            taker_better(best, takers, takers + program->header->receivers, is_message, type);
    }
    return best;
}

#endif
