/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The reading that was noted, in programs that ask for it. */
#include "chip/chip.h"

#include "chip/samr21/tick.h"
#include "chip/samr21/tick_length.h"

/* Written by the handler while it is noting. */
static uint64_t noted;

void tick_keep_noted(const uint64_t *count)
{
    noted = *count;
}

uint64_t chip_ticks_noted(void)
{
    while (tick_is_noting()) {
    }
    return tick_of_count(noted);
}
