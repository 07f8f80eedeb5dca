/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Light and temperature of an MTS300 or MTS310 (MTS/MDA Sensor Board Users Manual; pins as in
 * TinyOS, tos/sensorboards/mts300): each sensor is a resistor from a pin that gives it power to the
 * analog pin that they share, so one at a time has power. A board that is not there leaves the
 * resistor to ground away as well, or leaves only that: the converter then reads next to nothing.
 */
#include "driver/sensor/mts.h"

#include <lichen/adc.h>
#include <lichen/gpio.h>
#include <lichen/time.h>

#include "driver/sensor/mts300_conversion.h"

#define TEMPERATURE_POWER GPIO_PIN('C', 0)
#define LIGHT_POWER       GPIO_PIN('E', 5)
#define SHARED            GPIO_PIN('F', 1)

enum {
    SETTLING_MS = 10,
    NOBODY = 3,     /* no sensor: 10 kohm to ground alone, and the dark photo resistor has 19 */
    SHORTED = 1020, /* the thermistor; the photo resistor may have as little in the sun */
};

/* Neither has power; a thread that ended within an activation may have left it. */
static int stop(const ARCH_FLASH struct sensor_device *device)
{
    (void)device;
    gpio_input(TEMPERATURE_POWER, GPIO_PULL_NONE);
    gpio_input(LIGHT_POWER, GPIO_PULL_NONE);
    return 0;
}

static int read_one(uint8_t power, uint16_t *word)
{
    gpio_output(power, true);
    sleep_ms(SETTLING_MS);
    int error = adc_read(SHARED, ADC_MEAN_OF_16 | ADC_OF_SUPPLY, word);
    gpio_input(power, GPIO_PULL_NONE);
    if (error != 0) {
        return ERR_IO;
    }
    return *word <= NOBODY ? ERR_EMPTY : 0;
}

static int measure(const ARCH_FLASH struct sensor_device *device, uint16_t *words)
{
    (void)device;
    int error = read_one(TEMPERATURE_POWER, &words[MTS300_TEMPERATURE]);

    if (error == 0 && words[MTS300_TEMPERATURE] >= SHORTED) {
        error = ERR_IO;
    }
    return error == 0 ? read_one(LIGHT_POWER, &words[MTS300_LIGHT]) : error;
}

static int32_t convert(const uint16_t *raw, uint8_t reading)
{
    return reading == MTS300_LIGHT ? SENSOR_CURVE(mts300_light, *raw)
                                   : SENSOR_CURVE(mts300_temperature, *raw);
}

static const char part[] ARCH_TEXT_PLACED(mts300) = "MTS300";

const ARCH_FLASH struct sensor_driver mts300_driver = {
    .part = part,
    .start = stop,
    .measure = measure,
    .stop = stop,
    .convert = convert,
};
