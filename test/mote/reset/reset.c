/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Why the mote started: after power, by the program, and by the pin, one after the other.
 *
 * The program starts three times. A word that start-up leaves alone says which time it is; what it
 * holds after power-on is chance, so the first start is known by its cause alone. The second start
 * is a panic's, the third somebody's who pulls the reset pin (input.txt).
 */
#include <lichen/reset.h>
#include <lichen/time.h>

#include "test.h"

static __attribute__((section(".noinit"))) unsigned start;

TEST(every_start_knows_its_cause)
{
    if (reset_cause() == RESET_POWER) {
        start = 1;
        reset_mote();
    }
    start++;
    if (start == 2) {
        expect_equal(reset_cause(), RESET_SOFTWARE);
        sleep_ms(60 * 1000);
    }
    expect_equal(start, 3);
    expect_equal(reset_cause(), RESET_PIN);
}
