/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The actors and the conductor of programs without threads. The conductor is a cooperative thread
 * whose name sorts before all others, so it runs first in each pass. The stretch is the operation
 * that it calls and then its sleep: the scheduler's loop with all that it runs.
 *
 * In programs with events (carry.c), an event can do the stretch's operation, or carry that of an
 * interrupt. In the others, interrupts do only what they may do themselves.
 */
#include <lichen/coop.h>
#include <lichen/interrupt.h>

#include "arch/arch.h"
#include "kernel/coop/coop.h"
#include "carry.h"
#include "run.h"

static inline __attribute__((always_inline)) void interrupted(unsigned level)
{
    unsigned actor = 1 + level;
    const struct force_operation *operation = force_operation_of(actor);
    force_began[actor]++;
    if (operation->in_interrupt[level] == 0) {
        force_carry(level);
        return;
    }
    operation->in_interrupt[level](actor);
    force_ended[actor]++;
}

SOFTWARE_INTERRUPTS(interrupted)

static void stretch(void)
{
    force_began[FORCE_STRETCH]++;
    if (force_choice.place == FORCE_IN_EVENT) {
        force_stretch_in_event(FORCE_STRETCH);
    } else {
        force_operation_of(FORCE_STRETCH)->in_thread(FORCE_STRETCH);
    }
    force_ended[FORCE_STRETCH]++;
}

/* The end of the state array is unchanged, and no stack has overflowed. */
static void check(void)
{
    force_check();
    if (force_check_carriers != 0) {
        force_check_carriers();
    }
    force_expect(coop_states_end->state != COOP_READY);
    force_expect(force_is_painted(kernel_stack_bottom));
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
        /* An interrupt at the last moment may have left a thread waiting. */
        while (force_settle()) {
            coop_sleep_ms(REST_MS);
        }
        check();
        force_done();
    }
    COOP_END();
}
