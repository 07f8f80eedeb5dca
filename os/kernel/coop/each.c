/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One pass over the cooperative threads, in C, where the architecture has no shorter way. */
#include "kernel/coop/coop.h"

#include "arch/arch.h"

/* The functions, in the order of the states. */
extern coop_fn *const ARCH_FLASH coop_table[];

/* Where a thread resumes is kept as a distance from its function, which fits 16 bits; 0 is the
 * start. */
static void run(struct coop *thread, coop_fn *function)
{
    volatile uint16_t *resume = coop_resume_of(thread);
    uintptr_t at = *resume != 0 ? (uintptr_t)function + *resume : 0;
    uintptr_t left = function(at, thread);
    *resume = (uint16_t)(left != 0 ? left - (uintptr_t)function : 0);
}

bool arch_coop_pass(void)
{
    bool was_ready = false;
    coop_fn *const ARCH_FLASH *function = coop_table;
    for (struct coop *thread = coop_states; thread != coop_states_end; thread++) {
        if (thread->state == COOP_READY) {
            run(thread, *function);
            was_ready = true;
        }
        function++;
    }
    return was_ready;
}
