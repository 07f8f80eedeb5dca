/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Checks whether all channels were fed.
 *
 * Only the handler checks, at level 0, so feeding needs no more than a store: nothing comes between
 * the check and the clearing. A channel stays fed until all are, so it does not matter when within
 * the limit it was fed. An impossible count of pieces means that memory is corrupt; it counts as
 * the end of the limit.
 */
#include <lichen/watchdog.h>

#include <lichen/panic.h>

#include "arch/arch.h"
#include "chip/chip.h"
#include "kernel/start.h"

_Static_assert(WATCHDOG_PIECE_MS <= CHIP_WATCHDOG_MAX_MS,
               "a piece is longer than the chip's longest");

/* The channels, as the linker placed them. */
extern struct watchdog_channel watchdog_begin[], watchdog_end[];

static uint16_t left; /* pieces of the limit that have not elapsed */

static struct watchdog_channel *first_not_fed(void)
{
    struct watchdog_channel *channel = watchdog_begin;
    while (channel < watchdog_end && channel->fed) {
        channel++;
    }
    return channel < watchdog_end ? channel : 0;
}

static void begin_limit(void)
{
    for (struct watchdog_channel *channel = watchdog_begin; channel < watchdog_end; channel++) {
        channel->fed = 0;
    }
    left = watchdog_limit.pieces;
}

void kernel_watchdog(const struct exception_frame *interrupted)
{
    const struct watchdog_channel *silent = first_not_fed();
    if (silent == 0) {
        begin_limit();
    } else if (left > 1 && left <= watchdog_limit.pieces) {
        left--;
    } else {
        arch_panic_interrupted(PANIC_WATCHDOG, (uintptr_t)silent, interrupted);
    }
}

static void watchdog_start(void)
{
    begin_limit();
    chip_watchdog_start(watchdog_limit.piece_ms);
}
START(watchdog_start);
