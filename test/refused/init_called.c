/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* INIT with a call.
 *
 * error: test/refused/init_called.c:15:12: INIT names a function, and does not call it
 * help: write INIT(setup); without the parentheses
 */
/* clang-format off */
#include <lichen/init.h>
#include <lichen/led.h>

static void setup(void)
{
    led_on(0);
}
INIT(setup());
