/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* INIT with a function that takes something.
 *
 * error: test/refused/init_with_parameter.c:16:1: `setup' takes an argument or returns a value, and
 *        INIT calls it without
 * help: declare it as static void setup(void)
 */
/* clang-format off */
#include <lichen/init.h>
#include <lichen/led.h>

static void setup(int which)
{
    led_on((unsigned)which);
}
INIT(setup);
