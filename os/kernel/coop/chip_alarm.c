/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's tick and alarm, for programs in which only cooperative threads use them.
 * All names here are weak: where there are deadlines, kernel/coop/alarm.c and
 * kernel/time/deadline.c take their places.
 *
 * Without a kernel level, thread mode may call what chip.h reserves to the kernel level: what the
 * chip's handler calls here touches nothing that thread mode changes.
 */
#include "kernel/coop/clock.h"

#include "chip/chip.h"
#include "kernel/start.h"

NEEDS(ticks_start);

/* kernel/coop/sleep.c refers to its address, which links this file. */
extern const uint8_t coop_chip_alarm;
const uint8_t coop_chip_alarm = 0;

__attribute__((weak)) void coop_clock_call(arch_call_fn *fn, void *argument)
{
    (void)arch_run_alone(fn, argument);
}

static int read_now(void *now)
{
    chip_ticks_request();
    *(uint64_t *)now = chip_ticks_take();
    return 0;
}

__attribute__((weak)) void coop_clock_read(uint64_t *now)
{
    (void)arch_run_alone(read_now, now);
}

__attribute__((weak)) void coop_alarm_set(const uint64_t *tick)
{
    chip_alarm_set(tick);
}

__attribute__((weak)) void kernel_alarm(const uint64_t *reached)
{
    coop_alarm_fired(reached);
}

/* Nothing awaits a reading here. */
__attribute__((weak)) void kernel_tick_arrived(const uint64_t *read)
{
    (void)read;
}
