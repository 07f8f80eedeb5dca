/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: its sensor of temperature and humidity. In a separate file, so that a program
 * without it does not link the driver. */
#include "pins.h"

#include "driver/sensor/hdc1080.h"

HDC1080_DEVICE(hdc1080, BOARD_HDC1080_ADDRESS);

SENSOR(temperature, hdc1080, SENSOR_TEMPERATURE, HDC1080_TEMPERATURE);
SENSOR(humidity, hdc1080, SENSOR_HUMIDITY, HDC1080_HUMIDITY);
