/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CPU time of threads, in programs that are built with LICHEN_CPU_TIME. The architecture's
 * switch charges a thread with the cycles since the previous switch; the rest is here.
 */
#include <lichen/kernel.h>
#include <lichen/thread.h>

#include "chip/chip.h"
#include "kernel/start.h"
#include "kernel/thread/thread.h"

uint32_t cpu_time_since;

START(chip_cycle_counter_start);

/* At the kernel level, so that no switch comes in between. */
static void count(void)
{
    uint32_t now = chip_cycle_counter;
    kernel.current->cpu_time.cycles += now - cpu_time_since;
    cpu_time_since = now;
}

void kernel_cycles_half(void)
{
    count();
}

struct reading {
    const struct thread *thread;
    uint64_t cycles;
};

static void read(void *argument)
{
    struct reading *reading = argument;
    count();
    reading->cycles = reading->thread->cpu_time.cycles;
}

uint64_t thread_cpu_cycles(const struct thread *thread)
{
    struct reading reading = {.thread = thread};
    kernel_do(read, &reading);
    return reading.cycles;
}

uint64_t thread_cpu_us(const struct thread *thread)
{
    return thread_cpu_cycles(thread) / (chip_clock_hz() / 1000000u);
}
