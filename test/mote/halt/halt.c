/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* PANIC_HALT: a debugger finds the mote where it stopped. The program's watchdog must not restart
 * it; only the reset pin does (input.txt).
 */
#include <lichen/panic.h>
#include <lichen/reset.h>
#include <lichen/watchdog.h>

#include "test.h"

PANIC_HALT;
WATCHDOG_CHANNEL(of_tests);

TEST(a_mote_that_halts_in_a_panic_waits_for_the_reset_pin)
{
    if (reset_cause() == RESET_POWER) {
        panic_forget();
        watchdog_feed(&of_tests);
        panic(7);
    }
    expect_equal(reset_cause(), RESET_PIN);
    expect_equal(panic_last()->detail, 7);
}
