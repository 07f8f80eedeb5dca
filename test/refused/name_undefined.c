/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A function is declared and not defined.
 *
 * error: test/refused/name_undefined.c:15: undefined reference to `read_sensor'
 * help: define that name, or list its file in lichen_app(NAME SOURCES …)
 */
#include <lichen/led.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

void read_sensor(void);
THREAD(t, 512, PRIORITY_APP)
{
    read_sensor();
}
