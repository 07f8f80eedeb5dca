/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* FXOS8700CQ (data sheet of that name, NXP): in standby it draws 2 uA and takes settings. Made
 * active, it measures at its output data rate; a single measurement of both sensors ends after two
 * periods and the turn-on time. The fastest rate ends it soonest, and its charge is the least.
 *
 * What it must be set to is written in each activation, so a part that has lost its supply in
 * between measures right.
 */
#include "driver/sensor/fxos8700cq.h"

#include <lichen/i2c.h>
#include <lichen/time.h>

#include "driver/sensor/fxos8700cq_conversion.h"

enum {
    WHO_AM_I = 0xc7,
    BOOT_MS = 2,
    MEASURING_US = 2 * 2500 + 2000, /* 400 Hz with both sensors, and the turn-on time */
    LATE_MS = 2,                    /* its oscillator may be slow */
    POLLS = 3,
    DATA_READY = 1 << 3, /* STATUS.ZYXDR */
    UNUSED_BITS = 3,     /* always 0 in accelerations of 14 bits */
    READ_AT_ONCE = 1 + 2 * FXOS8700CQ_TEMPERATURE,
};

/* Registers: pointers, and pointers with values. STATUS is followed by the accelerations, and by
 * the magnetic field if M_CTRL_REG2.HYB_AUTOINC_MODE is set. */
static const uint8_t status = 0x00, who_am_i = 0x0d, temperature = 0x51;
static const uint8_t standby[] = {0x2a, 0x00};
static const uint8_t active[] = {0x2a, 0x01};     /* CTRL_REG1: 800 Hz, half with both sensors */
static const uint8_t range[] = {0x0e, 0x00};      /* XYZ_DATA_CFG: 2 g */
static const uint8_t both[] = {0x5b, 0x1f, 0x20}; /* M_CTRL_REG1: most oversampling, both */

static int identify(uint8_t address)
{
    uint8_t number;
    int error = i2c_write_read(address, &who_am_i, 1, &number, 1);

    return error == 0 && number != WHO_AM_I ? ERR_IO : error;
}

/* A part that has just got its supply answers later. */
static int begin(const ARCH_FLASH struct sensor_device *device)
{
    int error = identify(device->address);

    if (error == ERR_EMPTY) {
        sleep_ms(BOOT_MS);
        error = identify(device->address);
    }
    return error == 0 ? i2c_write(device->address, standby, sizeof(standby)) : error;
}

static int configure(uint8_t address)
{
    int error = i2c_write(address, range, sizeof(range));

    if (error == 0) {
        error = i2c_write(address, both, sizeof(both));
    }
    return error == 0 ? i2c_write(address, active, sizeof(active)) : error;
}

/* Reads status and results once they are there. */
static int read_results(uint8_t address, uint8_t *bytes)
{
    int error = ERR_IO;

    sleep_us(MEASURING_US);
    for (uint8_t polls = 0; polls < POLLS; polls++) {
        error = i2c_write_read(address, &status, 1, bytes, READ_AT_ONCE);
        if (error != 0 || (bytes[0] & DATA_READY)) {
            return error;
        }
        sleep_ms(LATE_MS);
    }
    return ERR_IO;
}

static int take(const uint8_t *bytes, uint16_t *words)
{
    uint8_t nonsense = 0;

    for (uint8_t i = 0; i < FXOS8700CQ_TEMPERATURE; i++) {
        words[i] = (uint16_t)(bytes[1 + 2 * i] << 8 | bytes[2 + 2 * i]);
        if (i < FXOS8700CQ_MAGNETIC_X) {
            nonsense |= bytes[2 + 2 * i] & UNUSED_BITS;
        }
    }
    return nonsense != 0 ? ERR_IO : 0;
}

static int stop(const ARCH_FLASH struct sensor_device *device)
{
    return i2c_write(device->address, standby, sizeof(standby));
}

/* However it ends, the part goes to standby if it can be told. */
static int measure(const ARCH_FLASH struct sensor_device *device, uint16_t *words)
{
    uint8_t bytes[READ_AT_ONCE], degrees;
    int error = configure(device->address);

    if (error == 0) {
        error = read_results(device->address, bytes);
    }
    if (error == 0) {
        error = i2c_write_read(device->address, &temperature, 1, &degrees, 1);
    }
    int stopped = stop(device);
    if (error == 0) {
        error = take(bytes, words);
        words[FXOS8700CQ_TEMPERATURE] = (uint16_t)(degrees << 8);
    }
    return error != 0 ? error : stopped;
}

static int32_t convert(const uint16_t *raw, uint8_t reading)
{
    return sensor_linear(&fxos8700cq_lines[reading], *raw);
}

static const char part[] ARCH_TEXT_PLACED(fxos8700cq) = "FXOS8700CQ";

const ARCH_FLASH struct sensor_driver fxos8700cq_driver = {
    .part = part,
    .start = begin,
    .measure = measure,
    .stop = stop,
    .convert = convert,
};
