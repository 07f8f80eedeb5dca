/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Which receiver a packet is for, in images that load programs: one of the image or of a program. At
 * the kernel level, or in a thread of the link, which is more urgent than programs. */
#ifndef NET_AM_TAKER_OF_PROGRAMS_H
#define NET_AM_TAKER_OF_PROGRAMS_H

#include "kernel/program/walk.h"
#include "net/am/taker.h"

/* As taker_find. */
static inline const ARCH_FLASH struct link_taker *taker_find_of_programs(bool is_message,
                                                                         uint8_t type)
{
    const ARCH_FLASH struct link_taker *best = taker_find(is_message, type);

    for (const struct program *program = programs; program != 0; program = program->next) {
        const ARCH_FLASH struct link_taker *takers = program_takers(program);
        best = taker_better(best, takers, takers + program->header->receivers, is_message, type);
    }
    return best;
}

#endif
