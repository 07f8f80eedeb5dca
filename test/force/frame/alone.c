/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The actors and the conductor of programs that have neither threads nor events. The conductor is a
 * cooperative thread, whose name comes before all others: it runs first in each pass. The stretch
 * is what it calls, and then its sleep: the scheduler's loop with all that this runs.
 *
 * There is nobody who could carry: interrupts do what they may do themselves.
 */
#include <lichen/coop.h>
#include <lichen/interrupt.h>

#include "arch/arch.h"
#include "kernel/coop/coop.h"
#include "run.h"
#include "software_interrupt.h"

/* Longer than all that anybody has to do, sleeps included. */
#define REST_MS 9

static inline __attribute__((always_inline)) void interrupted(unsigned level)
{
    unsigned actor = 1 + level;
    force_began[actor]++;
    force_operation_of(actor)->in_interrupt[level](actor);
    force_ended[actor]++;
}

INTERRUPT(TCC0)
{
    interrupted(0);
}
INTERRUPT(TCC1)
{
    interrupted(1);
}
INTERRUPT(TCC2)
{
    interrupted(2);
}

static void stretch(void)
{
    force_began[FORCE_STRETCH]++;
    force_operation_of(FORCE_STRETCH)->in_thread(FORCE_STRETCH);
    force_ended[FORCE_STRETCH]++;
}

/* The end of the passes is where it was, and no stack was used up. */
static void check(void)
{
    force_check();
    force_expect(coop_states_end->state != COOP_READY);
    force_expect(*(const uint32_t *)(const void *)kernel_stack_bottom == ARCH_STACK_PAINT);
}

COOP(a_conductor)
{
    COOP_BEGIN();
    software_interrupts_enable();
    if (force_start != 0) {
        force_start();
    }
    for (;;) {
        coop_sleep_ms(REST_MS);
        force_ready();
        force_prepare();
        force_begin();
        stretch();
        while (force_settle()) {
            coop_sleep_ms(REST_MS);
        }
        force_end();
        /* An interrupt at the last moment may have left somebody waiting. */
        while (force_settle()) {
            coop_sleep_ms(REST_MS);
        }
        check();
        force_done();
    }
    COOP_END();
}
