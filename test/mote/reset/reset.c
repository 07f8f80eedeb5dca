/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Why the mote started: by power, by the program, and by the pin, one after another.
 *
 * The program starts three times. A word that start-up does not touch says which time it is; after
 * power-on its value is random, so the first start is recognised by its cause alone. The second
 * start follows a panic, the third a pulse on the reset pin (input.txt).
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
        sleep_ms(60000);
    }
    expect_equal(start, 3);
    expect_equal(reset_cause(), RESET_PIN);
}
