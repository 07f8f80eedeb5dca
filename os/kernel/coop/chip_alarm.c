/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's tick and alarm, for programs in which only cooperative threads use them.
 * Where there are deadlines, kernel/coop/alarm.c and kernel/time/deadline.c take the places of
 * these functions (os/features.cmake).
 *
 * Without a kernel level, thread mode may call what chip.h reserves to the kernel level: what the
 * chip's handler calls here touches nothing that thread mode changes.
 */
#include "kernel/coop/coop.h"

#include "chip/chip.h"
#include "kernel/start.h"

NEEDS(ticks_start);

/* kernel/coop/sleep.c refers to its address, which links this file. */
extern const uint8_t coop_chip_alarm;
const uint8_t coop_chip_alarm = 0;

void coop_chip_call(arch_call_fn *fn, void *argument)
{
    (void)arch_run_alone(fn, argument);
}

static int read_now(void *now)
{
    chip_ticks_request();
    *(uint64_t *)now = chip_ticks_take();
    return 0;
}

void coop_chip_read(uint64_t *now)
{
    (void)arch_run_alone(read_now, now);
}

void coop_chip_set(const uint64_t *tick)
{
    chip_alarm_set(tick);
}

void coop_chip_fired(const uint64_t *reached)
{
    coop_alarm_fired(reached);
}

/* Nothing awaits a reading here. */
void coop_chip_arrived(const uint64_t *read)
{
    (void)read;
}
