/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's tick and alarm, for programs in which only cooperative threads have a use for them.
 * All names here are weak: where there are deadlines, kernel/coop/alarm.c and
 * kernel/time/deadline.c take their places.
 *
 * The alarm's interrupt, at the kernel's level, touches nothing that this does, so that thread mode
 * may do what chip.h reserves to that level.
 */
#include "kernel/coop/clock.h"

#include "chip/chip.h"
#include "kernel/start.h"

NEEDS(ticks_start);

/* Its address is what kernel/coop/sleep.c needs this file by. */
extern const uint8_t coop_own_alarm;
const uint8_t coop_own_alarm = 0;

static uint32_t last_reading;

__attribute__((weak)) void coop_clock_call(arch_call_fn *fn, void *argument)
{
    (void)fn(argument);
}

__attribute__((weak)) uint32_t coop_clock_read(void)
{
    chip_ticks_request();
    last_reading = chip_ticks_take();
    return last_reading;
}

__attribute__((weak)) void coop_alarm_set(uint32_t tick, bool fresh)
{
    chip_alarm_set(tick, fresh ? tick - last_reading : 0);
}

__attribute__((weak)) void kernel_alarm(uint32_t reached)
{
    (void)reached;
    coop_alarm_fired();
}

/* Nobody awaits a reading here. */
__attribute__((weak)) void kernel_ticks(uint32_t read)
{
    (void)read;
}
