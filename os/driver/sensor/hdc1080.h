/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Texas Instruments HDC1080: temperature and humidity on I2C. A device has an `address`. */
#ifndef DRIVER_SENSOR_HDC1080_H
#define DRIVER_SENSOR_HDC1080_H

#include "driver/sensor/device.h"

/* Its readings, in their order. */
enum hdc1080_reading { HDC1080_TEMPERATURE, HDC1080_HUMIDITY, HDC1080_WORDS };

/* The only address that it comes with. */
#define HDC1080_ADDRESS 0x40

extern const ARCH_FLASH struct sensor_driver hdc1080_driver;

/* The device with its sensors. */
#define HDC1080_DEVICE(name, address_)                                                             \
    SENSOR_DEVICE(name, hdc1080_driver, HDC1080_WORDS, .address = (address_))

#endif
