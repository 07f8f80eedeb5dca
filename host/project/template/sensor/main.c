/* @PROGRAM@: the temperature at the mote, every five seconds.
 *
 * There is no main. THREAD declares a thread where it is defined: its name, the bytes of its
 * stack, its priority; it starts with the mote. Public headers are in os/include/lichen.
 */
#include <lichen/print.h>
#include <lichen/sensor.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum { PERIOD_S = 5 };

/* The mote sleeps while the sensor measures. A sensor that fails is tried again the next time. */
static void measure(void)
{
    char text[SENSOR_TEXT_SIZE];
    int32_t millidegrees;
    int error = sensor_read(&sensor_temperature, SENSOR_NEW, &millidegrees);

    if (error != 0) {
        print("no temperature: %s\n", error_name(error));
        return;
    }
    (void)sensor_text(&sensor_temperature, millidegrees, text);
    print("temperature %s\n", text);
}

THREAD(thermometer, 512, PRIORITY_APP)
{
    uint64_t due_us = time_now_us();

    for (;;) {
        measure();
        due_us += PERIOD_S * TIME_US_PER_S;
        sleep_until_us(due_us);
    }
}
