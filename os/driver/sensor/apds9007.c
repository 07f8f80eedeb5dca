/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* APDS-9007 (data sheet AV02-0512): its output is a current of 10 uA a decade of lux. It is on only
 * while it is read.
 */
#include "driver/sensor/apds9007.h"

#include <lichen/adc.h>
#include <lichen/gpio.h>
#include <lichen/time.h>

#include "driver/sensor/apds9007_conversion.h"

enum {
    SETTLING_MS = 20, /* after shutdown, with the load of 15 kohm: doc/spec/parts.md */
    MOST_MV = 900,    /* 60 uA, beyond what the output gives, into 15 kohm */
};

static int stop(const ARCH_FLASH struct sensor_device *device)
{
    gpio_output(device->power, true);
    return 0;
}

static int measure(const ARCH_FLASH struct sensor_device *device, uint16_t *words)
{
    gpio_output(device->power, false);
    sleep_ms(SETTLING_MS);
    int error = adc_read_mv(device->input, ADC_MEAN_OF_16, words);
    (void)stop(device);
    if (error != 0 || *words > MOST_MV) {
        return ERR_IO;
    }
    return 0;
}

static int32_t convert(const uint16_t *raw, uint8_t reading)
{
    (void)reading;
    return SENSOR_CURVE(apds9007_light, *raw);
}

static const char part[] ARCH_TEXT_PLACED(apds9007) = "APDS-9007";

const ARCH_FLASH struct sensor_driver apds9007_driver = {
    .part = part,
    .start = stop,
    .measure = measure,
    .stop = stop,
    .convert = convert,
};
