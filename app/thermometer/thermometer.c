/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Thermometer: prints the temperature of the board's sensor every five seconds.
 *
 * The thread sleeps while the sensor measures, and so does the mote. A sensor that fails is
 * reported, and tried again the next time.
 *
 *     ./lichen run thermometer --for 20s
 */
#include <lichen/print.h>
#include <lichen/sensor.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    PERIOD_S = 5,
};

static const char *meaning(int error)
{
    switch (error) {
    case ERR_EMPTY:
        return "no answer";
    case ERR_TIMEOUT:
        return "the bus is stuck";
    default:
        return "disturbed";
    }
}

THREAD(thermometer, 512, PRIORITY_APP)
{
    uint64_t due = 0;

    for (;;) {
        char text[SENSOR_TEXT_SIZE];
        int32_t temperature;
        int error = sensor_read(&sensor_temperature, SENSOR_NEW, &temperature);
        if (error != 0) {
            print("sensor: %s\n", meaning(error));
        } else {
            (void)sensor_text(&sensor_temperature, temperature, text);
            print("%s\n", text);
        }
        due += PERIOD_S * TIME_US_PER_S;
        sleep_until_us(due);
    }
}
