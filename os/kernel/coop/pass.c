/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The scheduler of cooperative threads: pass after pass over all of them, and a wait after a pass
 * in which none was ready.
 *
 * A signal may come between the check of its thread and the wait: then the wait returns at once.
 */
#include "kernel/coop/coop.h"

#include "arch/arch.h"
#include "kernel/power/power.h"

static void wait(void)
{
    power_prepare_alone();
    arch_wait();
}

/* For programs in which none sleeps. */
void coop_clock_serve_none(void)
{
}

_Noreturn void coop_alone(void)
{
    arch_start_alone();
    coop_run(0);
}

_Noreturn void coop_run(void *unused)
{
    (void)unused;
    coop_states_end->state = COOP_DEAD;
    for (;;) {
        coop_clock_serve();
        if (!arch_coop_pass()) {
            wait();
        }
    }
}
