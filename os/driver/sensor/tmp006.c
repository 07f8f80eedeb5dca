/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* TMP006 (data sheet SBOS518): it measures continuously after power-up, at 240 uA, until it is
 * powered down. A thermopile's voltage and the part's own temperature give the temperature of what
 * it looks at (user guide SBOU107, section 5.1, whose constants are the manufacturer's).
 */
#include "driver/sensor/tmp006.h"

#include <lichen/i2c.h>
#include <lichen/time.h>

#include "driver/sensor/tmp006_conversion.h"

enum {
    MANUFACTURER = 0x5449, /* "TI" */
    DEVICE = 0x0067,
    MEASURING_MS = 250, /* one sample (table 9) */
    LATE_MS = 25,       /* its oscillator may be slow */
    POLLS = 4,
    MODE_ON = 0x70,        /* the configuration's upper byte: MOD, and CR for one sample */
    READY = 1 << 7,        /* its lower byte */
    UNUSED_BITS = 3,       /* always 0 in the temperature, which has 14 bits */
    LEAST_OWN = -64 * 128, /* of the part's temperature, in 128ths of a degree */
    MOST_OWN = 150 * 128,  /* its range is -40 to 125 degrees */
    LEAST_SEEN = -150000,  /* thousandths of a degree: colder than any sky */
};

/* Registers: pointers, and the configuration with its value. */
static const uint8_t voltage = 0x00, temperature = 0x01, configuration = 0x02;
static const uint8_t manufacturer = 0xfe, device_number = 0xff;
static const uint8_t on[] = {0x02, MODE_ON, 0x00};
static const uint8_t off[] = {0x02, 0x00, 0x00};

/* -------- what it looks at; host/board/src/conversion.rs computes the same */

/* The largest number whose fourth power is not larger. */
static uint16_t fourth_root(uint64_t power)
{
    uint16_t root = 0;

    for (uint16_t bit = 1u << 15; bit != 0; bit >>= 1) {
        uint32_t square = (uint32_t)(root | bit) * (root | bit);
        if ((uint64_t)square * square <= power) {
            root |= bit;
        }
    }
    return root;
}

/* The fourth power of the object's temperature less that of the part's, in 64ths of a kelvin.
 * raw       of the voltage, 156.25 nV each
 * above     the part's temperature above 25 degrees, in 64ths of a kelvin
 */
static int64_t radiated(int16_t raw, int32_t above)
{
    int64_t square = (int64_t)above * above;
    /* The thermopile's sensitivity, of 2^20. */
    int64_t sensitivity =
        (INT64_C(1) << 20) + (int64_t)above * TMP006_A1 / 1000 + square * TMP006_A2 / 100000000;
    /* Nanovolts. */
    int64_t offset = TMP006_B0 + (int64_t)above * TMP006_B1 / 64 + square * TMP006_B2 / 409600;
    int64_t over = (int64_t)raw * 625 / 4 - offset;
    int64_t seebeck = over + over * over * TMP006_C2 / INT64_C(10000000000);
    return seebeck * TMP006_PER_NANOVOLT / sensitivity * (INT64_C(1) << 20);
}

/* Beyond the part's range, where the formula makes no sense, its own temperature is limited. */
static int32_t radiant_temperature(int16_t raw, int16_t own)
{
    own = own < LEAST_OWN ? LEAST_OWN : own > MOST_OWN ? MOST_OWN : own;
    int32_t above = own / 2 - 25 * 64;
    int64_t kelvin = own / 2 + TMP006_KELVIN;
    int64_t power = kelvin * kelvin * kelvin * kelvin + radiated(raw, above);

    if (power < 0) {
        power = 0;
    }
    return (int32_t)fourth_root((uint64_t)power) * 125 / 8 - 273150;
}

/* -------- the part */
static int read_word(uint8_t address, const uint8_t *pointer, uint16_t *word)
{
    uint8_t bytes[2];
    int error = i2c_write_read(address, pointer, 1, bytes, sizeof(bytes));

    *word = (uint16_t)(bytes[0] << 8 | bytes[1]);
    return error;
}

static int expect_word(uint8_t address, const uint8_t *pointer, uint16_t wanted)
{
    uint16_t word;
    int error = read_word(address, pointer, &word);

    return error == 0 && word != wanted ? ERR_IO : error;
}

static int stop(const ARCH_FLASH struct sensor_device *device)
{
    return i2c_write(device->address, off, sizeof(off));
}

static int begin(const ARCH_FLASH struct sensor_device *device)
{
    int error = expect_word(device->address, &manufacturer, MANUFACTURER);

    if (error == 0) {
        error = expect_word(device->address, &device_number, DEVICE);
    }
    return error == 0 ? stop(device) : error;
}

static int await(uint8_t address)
{
    uint16_t word;

    sleep_ms(MEASURING_MS);
    for (uint8_t polls = 0; polls < POLLS; polls++) {
        int error = read_word(address, &configuration, &word);
        if (error != 0 || (word & READY)) {
            return error;
        }
        sleep_ms(LATE_MS);
    }
    return ERR_IO;
}

static bool is_nonsense(int16_t raw, int16_t own)
{
    return (own & UNUSED_BITS) != 0 || own < LEAST_OWN || own > MOST_OWN ||
           radiant_temperature(raw, own) < LEAST_SEEN;
}

static int read_results(uint8_t address, uint16_t *words)
{
    int error = read_word(address, &voltage, &words[TMP006_RADIANT_TEMPERATURE]);

    if (error == 0) {
        error = read_word(address, &temperature, &words[TMP006_TEMPERATURE]);
    }
    if (error == 0 && is_nonsense((int16_t)words[TMP006_RADIANT_TEMPERATURE],
                                  (int16_t)words[TMP006_TEMPERATURE])) {
        error = ERR_IO;
    }
    return error;
}

/* However it ends, the part is powered down if it can be told. */
static int measure(const ARCH_FLASH struct sensor_device *device, uint16_t *words)
{
    int error = i2c_write(device->address, on, sizeof(on));

    if (error == 0) {
        error = await(device->address);
    }
    if (error == 0) {
        error = read_results(device->address, words);
    }
    int stopped = stop(device);
    return error != 0 ? error : stopped;
}

static int32_t convert(const uint16_t *raw, uint8_t reading)
{
    if (reading == TMP006_RADIANT_TEMPERATURE) {
        return radiant_temperature((int16_t)raw[0], (int16_t)raw[1]);
    }
    return sensor_linear(&tmp006_lines[0], *raw);
}

static const char part[] ARCH_TEXT_PLACED(tmp006) = "TMP006";

const ARCH_FLASH struct sensor_driver tmp006_driver = {
    .part = part,
    .start = begin,
    .measure = measure,
    .stop = stop,
    .convert = convert,
};
