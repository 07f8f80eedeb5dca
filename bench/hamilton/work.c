/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a mote does that senses and computes: each second a thread reads temperature and humidity,
 * which is waiting, and computes a CRC of 1 KB bit by bit, some 90,000 cycles, in place of
 * encryption.
 *
 *   work_begin    the first second that counts
 */
#include <lichen/clock.h>
#include <lichen/sensor.h>
#include <lichen/thread.h>
#include <lichen/time.h>

#include "../kernel/mark.h"

enum {
    START_US = 100000, /* in which the sensor starts */
    PERIOD_US = 1000000,
    MESSAGE_BYTES = 1024,
};

CLOCK_REQUEST(work_clock);

static uint8_t message[MESSAGE_BYTES];
volatile uint32_t work_result;

static uint32_t crc_of_message(void)
{
    uint32_t crc = UINT32_MAX;

    for (unsigned i = 0; i < MESSAGE_BYTES; i++) {
        crc ^= message[i];
        for (unsigned bit = 0; bit < 8; bit++) {
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
        }
    }
    return crc;
}

static void sense_into(unsigned place, const ARCH_FLASH struct sensor *sensor)
{
    int32_t value;

    if (sensor_read(sensor, 500, &value) == 0) {
        message[place] = (uint8_t)value;
    }
}

THREAD(work, 512, PRIORITY_APP)
{
    uint64_t due = time_now_us() + START_US;

    sleep_until_us(due);
    BENCH_MARK(work_begin);
    for (;;) {
        sense_into(0, &sensor_temperature);
        sense_into(1, &sensor_humidity);
        clock_request(&work_clock, CLOCK_FAST);
        work_result = crc_of_message();
        clock_release(&work_clock);
        due += PERIOD_US;
        sleep_until_us(due);
    }
}
