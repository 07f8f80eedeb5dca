/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* NXP FXOS8700CQ: acceleration, magnetic field and its own temperature, on I2C. A device has an
 * `address`. */
#ifndef DRIVER_SENSOR_FXOS8700CQ_H
#define DRIVER_SENSOR_FXOS8700CQ_H

#include "driver/sensor/device.h"

enum fxos8700cq_reading {
    FXOS8700CQ_ACCELERATION_X,
    FXOS8700CQ_ACCELERATION_Y,
    FXOS8700CQ_ACCELERATION_Z,
    FXOS8700CQ_MAGNETIC_X,
    FXOS8700CQ_MAGNETIC_Y,
    FXOS8700CQ_MAGNETIC_Z,
    FXOS8700CQ_TEMPERATURE,
    FXOS8700CQ_WORDS,
};

extern const ARCH_FLASH struct sensor_driver fxos8700cq_driver;

#define FXOS8700CQ_DEVICE(name, address_)                                                          \
    SENSOR_DEVICE(name, fxos8700cq_driver, FXOS8700CQ_WORDS, .address = (address_))

#endif
