/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The command `ps`. */
#include "service/shell/shell.h"

/* In programs that count CPU time, thread_cpu_cycles of lichen/thread.h; 0 in others, where a call
 * of it by its own name does not compile. */
extern __attribute__((weak)) uint64_t
cpu_cycles(const struct thread *thread) __asm__("thread_cpu_cycles");

static const char *state_text(const struct thread_view *view)
{
    if (view->thread == thread_self()) {
        return TEXT("running");
    }
    switch (view->state) {
    case THREAD_READY:
        return TEXT("ready");
    case THREAD_WAITING:
        return TEXT("waiting");
    case THREAD_STOPPED:
        return TEXT("stopped");
    default:
        return TEXT("paused");
    }
}

/* The CPU time of all threads, or 0 if it is not counted. */
static uint64_t all_cycles(void)
{
    struct thread_view view;
    uint64_t sum = 0;

    for (unsigned i = 0; cpu_cycles != 0 && thread_look(i, &view) == 0; i++) {
        if (view.thread != 0) {
            sum += cpu_cycles(view.thread);
        }
    }
    return sum;
}

/* Both numbers are cut to fewer bits until a product of 1,000 fits. */
static uint16_t thousandths(uint64_t part, uint64_t all)
{
    while (all > UINT32_MAX / 1024) {
        part >>= 1;
        all >>= 1;
    }
    return (uint16_t)((uint32_t)part * 1000 / (uint32_t)all);
}

/* Printing takes time of the processor, too, so the first shares are computed before the first
 * line, at one moment: they add up. */
enum {
    SHARES_AT_ONCE = 16,
};

static void take_shares(uint16_t *shares)
{
    struct thread_view view;
    uint64_t all = all_cycles();

    for (unsigned i = 0; i < SHARES_AT_ONCE && thread_look(i, &view) == 0; i++) {
        shares[i] = view.thread != 0 ? thousandths(cpu_cycles(view.thread), all) : 0;
    }
}

SHELL_COMMAND(ps, "", "Lists threads, and how much of their stacks they have used.")
{
    struct thread_view view;
    bool counted = all_cycles() != 0;
    uint16_t shares[SHARES_AT_ONCE];

    if (counted) {
        take_shares(shares);
    }

    print("name             state    priority     stack%s\n", counted ? TEXT("     CPU") : "");
    for (unsigned i = 0; thread_look(i, &view) == 0; i++) {
        print("%-16s ", view.name);
        if (view.thread != 0) {
            print("%-8s %8u ", state_text(&view), view.priority);
        } else {
            print("%18s", "");
        }
        print("%4u of %4u", view.stack_bytes - view.stack_free, view.stack_bytes);
        if (counted && view.thread != 0) {
            uint16_t share =
                i < SHARES_AT_ONCE ? shares[i] : thousandths(cpu_cycles(view.thread), all_cycles());
            print(" %3u.%u %%", share / 10, share % 10);
        }
        print("\n");
    }
}
