/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sense: reads all sensors of the board every 30 seconds, and prints a line.
 *
 * A part that measures several quantities does so once: the driver keeps the values of its other
 * sensors, which are then younger than a second. A part that fails is reported, and tried again in
 * the next round.
 *
 *     ./lichen run sense --for 1h --energy
 */
#include <lichen/print.h>
#include <lichen/sensor.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "period.h"

static const char *meaning(int error)
{
    switch (error) {
    case ERR_EMPTY:
        return TEXT("no answer");
    case ERR_TIMEOUT:
        return TEXT("the bus is stuck");
    default:
        return TEXT("disturbed");
    }
}

/* Prints a value that was measured just now, after the name of its part if that is a new one. */
static const char *report(const ARCH_FLASH struct sensor *sensor, const char *last_part)
{
    char text[SENSOR_TEXT_SIZE];
    int32_t value;
    const char *part = sensor_part(sensor);
    int error = sensor_read(sensor, SENSOR_ANY_AGE, &value);

    if (error == 0) {
        (void)sensor_text(sensor, value, text);
    }
    if (part != last_part) {
        print("%s%s", last_part == 0 ? TEXT("") : TEXT("; "), part);
    }
    print("%s %s %s", part == last_part ? TEXT(",") : TEXT(""), sensor_name(sensor),
          error == 0 ? text : meaning(error));
    return part;
}

/* Reads all sensors, and then prints their values: parts take up to a quarter of a second. */
static void round_of_all(void)
{
    const ARCH_FLASH struct sensor *sensor;
    const char *part = 0;
    int32_t unused;

    for (unsigned i = 0; (sensor = sensor_at(i)) != 0; i++) {
        if (sensor_read(sensor, sense_round_ms, &unused) != 0) {
            continue; /* report prints the error */
        }
    }
    for (unsigned i = 0; (sensor = sensor_at(i)) != 0; i++) {
        part = report(sensor, part);
    }
    print("\n");
}

THREAD(sense, 640, PRIORITY_APP)
{
    uint64_t due = 0;

    for (;;) {
        round_of_all();
        due += sense_period_us;
        sleep_until_us(due);
    }
}
