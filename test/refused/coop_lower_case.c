/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A cooperative thread in small letters.
 *
 * error: test/refused/coop_lower_case.c:11:1: nothing declares `coop'
 * help: did you mean `COOP' (<lichen/coop.h>)?
 */
/* clang-format off */
#include <lichen/coop.h>
#include <lichen/led.h>

coop(c)
{
    COOP_BEGIN();
    led_on(0);
    COOP_END();
}
