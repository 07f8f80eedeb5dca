/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Output as on Arduino.
 *
 * error: test/refused/arduino_serial.c:14:5: nothing declares `Serial'
 * help: text goes to the console by print (<lichen/print.h>), and is read by console_read_line
 *        (<lichen/console.h>)
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    Serial.print("hello");
}
