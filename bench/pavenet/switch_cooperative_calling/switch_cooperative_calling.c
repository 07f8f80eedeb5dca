/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads yield to each other, in loops that call functions: they save and restore the
 * return address.
 *
 *   coop_call .. coop_return   from before the yield in one to after it in the next one
 */
#include <lichen/coop.h>

#include "../../kernel/mark.h"

volatile uint32_t rounds;

static __attribute__((noinline)) void count(void)
{
    rounds++;
}

COOP(a_one)
{
    COOP_BEGIN();
    for (;;) {
        count();
        BENCH_MARK(coop_call);
        coop_yield();
        count();
        coop_yield();
    }
    COOP_END();
}

COOP(b_other)
{
    COOP_BEGIN();
    for (;;) {
        count();
        coop_yield();
        count();
        coop_yield();
        BENCH_MARK(coop_return);
    }
    COOP_END();
}
