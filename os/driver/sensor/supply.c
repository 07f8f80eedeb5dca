/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/sensor/supply.h"

#include <lichen/adc.h>

#include "driver/sensor/supply_conversion.h"

static int measure(const ARCH_FLASH struct sensor_device *device, uint16_t *words)
{
    (void)device;
    return adc_read_mv(ADC_SUPPLY, ADC_MEAN_OF_4, words) != 0 ? ERR_IO : 0;
}

static int32_t convert(const uint16_t *raw, uint8_t reading)
{
    return sensor_linear(&supply_lines[reading], *raw);
}

static const char part[] ARCH_TEXT_PLACED(supply) = "chip";

const ARCH_FLASH struct sensor_driver supply_driver = {
    .part = part,
    .measure = measure,
    .convert = convert,
};
