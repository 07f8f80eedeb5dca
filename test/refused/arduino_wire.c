/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A bus as on Arduino.
 *
 * error: test/refused/arduino_wire.c:12:5: nothing declares `Wire'
 * help: I2C is <lichen/i2c.h>, and sensors of the board are <lichen/sensor.h>
 */
/* clang-format off */
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    Wire.begin();
}
