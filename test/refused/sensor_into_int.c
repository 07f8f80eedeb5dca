/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A value of a sensor has 32 bits, and is a `long' here:
 *
 * error: test/refused/sensor_into_int.c:15:53: argument 3 of sensor_read is int *, and not
 *        int32_t *
 * help: declare the variable as int32_t
 */
#include <lichen/sensor.h>
#include <lichen/thread.h>

THREAD(reader, 512, PRIORITY_APP)
{
    int value;

    int error = sensor_read(&sensor_temperature, 0, &value);
    (void)error;
}
