/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* HDC1080 (data sheet SNAS672): writing the number of the first result begins a measurement of
 * temperature and humidity, in this order, if it is configured so. In between it sleeps by itself.
 */
#include "driver/sensor/hdc1080.h"

#include <lichen/i2c.h>
#include <lichen/time.h>

#include "driver/sensor/hdc1080_conversion.h"

enum {
    MANUFACTURER = 0x5449, /* "TI" */
    DEVICE = 0x1050,
    START_UP_MS = 15,
    MEASURING_US = 6350 + 6500,
    UNUSED_BITS = 3, /* always 0 in results of 14 bits */
};

/* Pointers to registers (table 1), in RAM because the bus reads them there. */
static const uint8_t results = 0x00, identity = 0xfe;
/* The configuration that it also has after power-up. */
static const uint8_t configuration[] = {0x02, 0x10, 0x00};

static int identify(uint8_t address)
{
    uint8_t bytes[4];
    int error = i2c_write(address, configuration, sizeof(configuration));

    if (error == 0) {
        error = i2c_write_read(address, &identity, 1, bytes, sizeof(bytes));
    }
    if (error == 0 &&
        ((bytes[0] << 8 | bytes[1]) != MANUFACTURER || (bytes[2] << 8 | bytes[3]) != DEVICE)) {
        error = ERR_IO;
    }
    return error;
}

/* A part that has just got its supply, or still measures, answers later. */
static int begin(const ARCH_FLASH struct sensor_device *device)
{
    int error = identify(device->address);

    if (error == ERR_EMPTY) {
        sleep_ms(START_UP_MS);
        error = identify(device->address);
    }
    return error;
}

static int measure(const ARCH_FLASH struct sensor_device *device, uint16_t *words)
{
    uint8_t bytes[2 * HDC1080_WORDS];
    int error = i2c_write(device->address, &results, 1);

    if (error == 0) {
        sleep_us(MEASURING_US);
        error = i2c_read(device->address, bytes, sizeof(bytes));
    }
    for (uint8_t i = 0; error == 0 && i < HDC1080_WORDS; i++) {
        words[i] = (uint16_t)(bytes[2 * i] << 8 | bytes[2 * i + 1]);
        error = (words[i] & UNUSED_BITS) != 0 ? ERR_IO : 0;
    }
    return error;
}

static int32_t convert(const uint16_t *raw, uint8_t reading)
{
    return sensor_linear(&hdc1080_lines[reading], *raw);
}

static const char part[] ARCH_TEXT_PLACED(hdc1080) = "HDC1080";

const ARCH_FLASH struct sensor_driver hdc1080_driver = {
    .part = part,
    .start = begin,
    .measure = measure,
    .convert = convert,
};
