/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Crossbow MTS300 and MTS310 on the 51-pin connector of a MICA: light and temperature, which share
 * an analog pin, and on the MTS310 acceleration. The pins are the connector's, so a device needs to
 * say none. */
#ifndef DRIVER_SENSOR_MTS_H
#define DRIVER_SENSOR_MTS_H

#include "driver/sensor/device.h"

enum mts300_reading { MTS300_TEMPERATURE, MTS300_LIGHT, MTS300_WORDS };
enum mts310_reading { MTS310_ACCELERATION_X, MTS310_ACCELERATION_Y, MTS310_WORDS };

extern const ARCH_FLASH struct sensor_driver mts300_driver, mts310_driver;

#define MTS300_DEVICE(name) SENSOR_DEVICE(name, mts300_driver, MTS300_WORDS, .input = 0)
#define MTS310_DEVICE(name) SENSOR_DEVICE(name, mts310_driver, MTS310_WORDS, .input = 0)

#endif
