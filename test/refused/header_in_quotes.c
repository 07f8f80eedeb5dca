/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A header of the system is included as one of the program.
 *
 * error: test/refused/header_in_quotes.c:7:10: there is no header `led.h'
 * help: did you mean <lichen/led.h>?
 */
#include "led.h"
THREAD(t, 512, PRIORITY_APP)
{
}
