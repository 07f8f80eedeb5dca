/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads yield to each other, in loops that call nothing. Each has two places to
 * resume at: with only one the compiler needs no jump.
 *
 *   coop_call .. coop_return     from before the yield in one to after it in the next one
 *   round_call .. round_return   the same from the last one to the first: a pass ends in between
 */
#include <lichen/coop.h>

#include "../../kernel/mark.h"

volatile uint32_t rounds;

COOP(a_one)
{
    COOP_BEGIN();
    for (;;) {
        BENCH_MARK(coop_call);
        coop_yield();
        BENCH_MARK(round_return);
        rounds++;
        coop_yield();
    }
    COOP_END();
}

COOP(b_other)
{
    COOP_BEGIN();
    for (;;) {
        BENCH_MARK(round_call);
        coop_yield();
        rounds++;
        coop_yield();
        BENCH_MARK(coop_return);
    }
    COOP_END();
}
