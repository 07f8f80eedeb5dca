/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A header of another system.
 *
 * error: test/refused/header_of_others.c:8:10: there is no header `Arduino.h'
 * help: the system's headers are in os/include/lichen, such as <lichen/thread.h>; headers of
 *        your own lie beside the file that includes them
 */
#include <Arduino.h>

void setup(void)
{
}
