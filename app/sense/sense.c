/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sense: what all sensors of the board measure, every 30 seconds, a line each time.
 *
 * A part that measures several quantities does so once: what the first of its sensors has not asked
 * for is kept, and the others take it, because it is younger than a second. A part that fails is
 * reported, and asked again in the next round.
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

/* What was measured just now, after the part's name where it is another part's. */
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

/* Measures everything, and then prints it: parts take up to a quarter of a second. */
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
