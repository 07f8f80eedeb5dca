/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: its sensor of what a surface radiates. In a separate file, so
 * that a program without it does not link the driver. */
#include "pins.h"

#include "driver/sensor/tmp006.h"

TMP006_DEVICE(tmp006, BOARD_TMP006_ADDRESS);

SENSOR(radiant_temperature, tmp006, SENSOR_RADIANT_TEMPERATURE, TMP006_RADIANT_TEMPERATURE);
SENSOR(temperature_1, tmp006, SENSOR_TEMPERATURE, TMP006_TEMPERATURE);
