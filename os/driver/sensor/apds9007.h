/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Broadcom APDS-9007: illuminance, as a current into a resistor at an analog pin. A device has an
 * `input`, and a `power` that is high while the part is shut down. */
#ifndef DRIVER_SENSOR_APDS9007_H
#define DRIVER_SENSOR_APDS9007_H

#include "driver/sensor/device.h"

enum apds9007_reading { APDS9007_LIGHT, APDS9007_WORDS };

extern const ARCH_FLASH struct sensor_driver apds9007_driver;

#define APDS9007_DEVICE(name, input_, shutdown_)                                                   \
    SENSOR_DEVICE(name, apds9007_driver, APDS9007_WORDS, .input = (input_), .power = (shutdown_))

#endif
