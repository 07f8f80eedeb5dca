/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A variable has a name of the system.
 *
 * error: test/refused/variable_called_panic.c:13: `panic' is a name of the system, and is defined
 *        here again
 * help: give this another name, such as my_panic; or declare it static, if only this file uses it;
 *        the system's is at os/arch/armv6m/fault.S:59
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

int panic;

THREAD(t, 512, PRIORITY_APP)
{
    led_on((unsigned)panic);
}
