/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counts the choices of the depth of sleep, in programs that ask for the counts: its power_prepare
 * is this one instead of that of power.c (os/features.cmake). */
#include "kernel/power/power.h"

#include <lichen/kernel.h>
#include <lichen/power.h>

#include "chip/chip.h"

extern const volatile uint8_t power_limits_begin[], power_limits_end[];

static uint32_t chosen[CHIP_SLEEP_MODES];

/* What power_choose has found, unless an interrupt has changed a limit since: then the kernel
 * chooses again. */
static uint8_t mode_now(void)
{
    uint8_t mode = CHIP_SLEEP_MODES - 1;

    for (const volatile uint8_t *limit = power_limits_begin; limit < power_limits_end; limit++) {
        uint8_t deepest = (uint8_t)(*limit - 1u);
        if (deepest < mode) {
            mode = deepest;
        }
    }
    return mode;
}

void power_choose_counting(void)
{
    power_choose();
    chosen[mode_now()]++;
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
