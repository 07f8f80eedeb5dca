/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The chip's supply, by its converter. */
#ifndef DRIVER_SENSOR_SUPPLY_H
#define DRIVER_SENSOR_SUPPLY_H

#include "driver/sensor/device.h"

enum supply_reading { SUPPLY_VOLTAGE, SUPPLY_WORDS };

extern const ARCH_FLASH struct sensor_driver supply_driver;

#define SUPPLY_DEVICE(name) SENSOR_DEVICE(name, supply_driver, SUPPLY_WORDS, .input = 0)

#endif
