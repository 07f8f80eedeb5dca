/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread whose body does not begin.
 *
 * error: test/refused/thread_without_brace.c:11: the body of THREAD does not
 *        begin
 * help: write { behind this line
 */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
led_on(0);
}
