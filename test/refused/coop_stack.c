/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads that need more than the stack that is theirs beside other threads.
 *
 * error: test/refused/coop_stack.c:29: the stack of cooperative threads has 160
 *        bytes and may need 828: coop_run 8, arch_coop_pass 28,
 *        coop_body_beat 8, big 712, and 72 to be interrupted
 * help: make large local variables `static', or their stack larger with
 *        COOP_STACK: 896 bytes have some room to spare
 */
#include <lichen/coop.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile uint8_t sink;

COOP_STACK(160);

static __attribute__((noinline)) void big(void)
{
    volatile uint8_t local[700];

    for (unsigned i = 0; i < sizeof(local); i++) {
        local[i] = (uint8_t)i;
    }
    sink = local[9];
}

COOP(beat)
{
    COOP_BEGIN();
    for (;;) {
        coop_sleep_ms(5);
        big();
    }
    COOP_END();
}

THREAD(worker, 300, PRIORITY_APP)
{
    for (;;) {
        sleep_ms(10);
    }
}
