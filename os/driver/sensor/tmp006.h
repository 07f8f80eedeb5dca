/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Texas Instruments TMP006: temperature of what it looks at, and its own, on I2C. A device has an
 * `address`. */
#ifndef DRIVER_SENSOR_TMP006_H
#define DRIVER_SENSOR_TMP006_H

#include "driver/sensor/device.h"

/* Its readings. The raw value of the first one is two words, and so includes the second. */
enum tmp006_reading { TMP006_RADIANT_TEMPERATURE, TMP006_TEMPERATURE, TMP006_WORDS };

extern const ARCH_FLASH struct sensor_driver tmp006_driver;

#define TMP006_DEVICE(name, address_)                                                              \
    SENSOR_DEVICE(name, tmp006_driver, TMP006_WORDS, .address = (address_))

#endif
