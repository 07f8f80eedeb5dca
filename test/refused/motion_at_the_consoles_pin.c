/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The console and the sensor of motion of a Hamilton share a pin.
 *
 * refused: multiple definition of `pin_of_console_and_motion'
 */
#include <lichen/print.h>
#include <lichen/sensor.h>
#include <lichen/thread.h>

THREAD(watches, 512, PRIORITY_APP)
{
    int32_t value;
    (void)!sensor_read(&sensor_motion, SENSOR_NEW, &value);
    print("%ld\n", (long)value);
}
