/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICA2 mote: an HDC1080, if one is connected to its I2C bus. In a separate file, so that a program
 * without it does not link the driver. */
#include "driver/sensor/hdc1080.h"

HDC1080_DEVICE(hdc1080, HDC1080_ADDRESS);

SENSOR(temperature_1, hdc1080, SENSOR_TEMPERATURE, HDC1080_TEMPERATURE);
SENSOR(humidity, hdc1080, SENSOR_HUMIDITY, HDC1080_HUMIDITY);
