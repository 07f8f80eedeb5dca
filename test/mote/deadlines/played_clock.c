/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "played_clock.h"

#include <lichen/kernel.h>

#include "chip/chip.h"

#define LOOKS 3u

struct played_clock played = {.alarm = PLAYED_NO_ALARM};

/* ---------------------------------------------------------------- what the kernel calls */
void chip_ticks_start(void)
{
}

void chip_ticks_request(void)
{
    played.looks_left = LOOKS;
}

bool chip_ticks_pending(void)
{
    if (played.looks_left != 0) {
        played.looks_left--;
    }
    return played.looks_left != 0;
}

uint64_t chip_ticks_take(void)
{
    if (played.looks_left != 0) {
        played.taken_early = true;
    }
    return played.now;
}

bool chip_ticks_await(uint64_t *length)
{
    played.awaits = true;
    *length += played.age;
    return false;
}

void chip_alarm_set(const uint64_t *tick)
{
    played.alarm = *tick;
    played.alarms++;
}

/* ---------------------------------------------------------------- what the kernel is told */
static int tell_alarm(void *reached)
{
    played.alarm = PLAYED_NO_ALARM;
    kernel_alarm(reached);
    return 0;
}

void played_alarm(uint64_t reached)
{
    if (played.alarm != PLAYED_NO_ALARM) {
        (void)kernel_run(tell_alarm, &reached);
    }
}

void played_to(uint64_t tick)
{
    played.now = tick;
    while (played.alarm <= tick) {
        played_alarm(tick);
    }
}

static int tell_reading(void *read)
{
    played.awaits = false;
    kernel_tick_arrived(read);
    return 0;
}

void played_reading(uint64_t read)
{
    if (played.awaits) {
        (void)kernel_run(tell_reading, &read);
    }
}
