/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counts the choices of the depth of sleep, in programs that ask for the counts: its power_prepare
 * is this one instead of that of power.c (os/features.cmake). */
#include "kernel/power/power.h"

#include <lichen/kernel.h>
#include <lichen/power.h>

#include "chip/chip.h"
#include "kernel/power/limits.h"

static uint32_t chosen[CHIP_SLEEP_MODES];

/* The second look finds what the first has, unless an interrupt has changed a limit since: then the
 * kernel chooses again. */
void power_choose_counting(void)
{
    power_choose_limited();
    chosen[power_limits_least()]++;
}

struct reading {
    uint32_t count;
    uint8_t mode;
};

static void read(void *reading_)
{
    struct reading *reading = reading_;

    reading->count = chosen[reading->mode];
}

int power_chosen(uint8_t mode, struct power_choice *choice)
{
    struct reading reading = {.mode = mode};

    if (mode >= CHIP_SLEEP_MODES) {
        return ERR_EMPTY;
    }
    kernel_do(read, &reading);
    choice->count = reading.count;
    choice->mode = chip_sleep_text(mode);
    return 0;
}
