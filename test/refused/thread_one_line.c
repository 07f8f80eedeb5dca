/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A thread without braces.
 *
 * error: test/refused/thread_one_line.c:12:31: what stands behind the declaration is no body: it
 *        has no { }
 * help: write { led_on(0); }
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(t1, 256, PRIORITY_APP) led_on(0);
