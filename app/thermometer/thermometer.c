/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Thermometer: the temperature of an HDC1080 on the I2C bus, every five seconds.
 *
 * A measurement is begun by writing the number of its register, takes 6.4 ms, and is then read. The
 * thread sleeps in between, and so does the mote. A sensor that fails is reported, and asked again
 * the next time.
 *
 *     ./lichen run thermometer --for 20s
 */
#include <lichen/i2c.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

enum {
    HDC1080 = 0x40, /* its address */
    PERIOD_S = 5,
    START_UP_MS = 15,
    MEASURING_MS = 7,
};

/* Registers (data sheet SNAS672, table 1). */
static const uint8_t temperature_register = 0x00;
static const uint8_t one_at_a_time[] = {0x02, 0x00, 0x00}; /* the configuration */

/* Hundredths of a degree Celsius: raw / 2^16 * 165 - 40. */
static int32_t hundredths(const uint8_t raw[2])
{
    return (int32_t)(((uint32_t)raw[0] << 8 | raw[1]) * 16500 >> 16) - 4000;
}

static int measure(int32_t *temperature)
{
    uint8_t raw[2];
    int error = i2c_write(HDC1080, one_at_a_time, sizeof(one_at_a_time));

    if (error == 0) {
        error = i2c_write(HDC1080, &temperature_register, 1);
    }
    if (error == 0) {
        sleep_ms(MEASURING_MS);
        error = i2c_read(HDC1080, raw, sizeof(raw));
    }
    if (error == 0) {
        *temperature = hundredths(raw);
    }
    return error;
}

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
    uint64_t due = START_UP_MS * TIME_US_PER_MS;

    for (;;) {
        sleep_until_us(due);
        due += PERIOD_S * (uint64_t)TIME_US_PER_S;
        int32_t temperature;
        int error = measure(&temperature);
        if (error != 0) {
            print("sensor: %s\n", meaning(error));
        } else {
            const char *sign = temperature < 0 ? "-" : "";
            uint32_t size = (uint32_t)(temperature < 0 ? -temperature : temperature);
            print("%s%lu.%02lu C\n", sign, (unsigned long)(size / 100),
                  (unsigned long)(size % 100));
        }
    }
}
