/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A header of another system.
 *
 * error: test/refused/header_of_others.c:8:10: there is no header `Arduino.h'
 * help: it is of another system; here threads are in <lichen/thread.h>, times in <lichen/time.h>,
 *        print in <lichen/print.h>
 */
#include <Arduino.h>

void setup(void)
{
}
