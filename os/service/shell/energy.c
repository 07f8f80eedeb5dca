/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The command `energy`: what the mote itself knows of where its charge goes. */
#include <lichen/power.h>
#include <lichen/time.h>

#include "service/shell/shell.h"

/* As in ps.c. */
extern __attribute__((weak)) uint64_t cpu_us(const struct thread *thread) __asm__("thread_cpu_us");

struct times {
    uint64_t awake;
    uint64_t light; /* asleep while the main clock runs */
};

static struct times measure(void)
{
    struct times times = {0, 0};
    struct thread_view view;

    for (unsigned i = 0; thread_look(i, &view) == 0; i++) {
        if (view.thread != 0) {
            bool is_idle = view.priority == PRIORITY_IDLE;
            *(is_idle ? &times.light : &times.awake) += cpu_us(view.thread);
        }
    }
    return times;
}

static void print_time(const char *name, uint64_t us)
{
    uint64_t ms = us / 1000; /* thread_cpu_us divides as well */

    print("%-19s %6lu.%03lu s\n", name, (unsigned long)(ms / 1000), (unsigned long)(ms % 1000));
}

static void print_times(void)
{
    struct times times = measure();
    uint64_t now = time_now_us();
    uint64_t known = times.awake + times.light;

    print_time(TEXT("awake"), times.awake);
    print_time(TEXT("light sleep"), times.light);
    print_time(TEXT("standby"), now > known ? now - known : 0);
}

SHELL_COMMAND(energy, "", "Tells how often the mote slept how deep, and for how long.")
{
    struct power_choice choice;

    if (cpu_us != 0) {
        print_times();
    }
    for (uint8_t mode = 0; power_chosen(mode, &choice) == 0; mode++) {
        print("%-19s %10lu times\n", choice.mode, (unsigned long)choice.count);
    }
}
