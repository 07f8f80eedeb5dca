/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: its sensor of light. In a separate file, so
 * that a program without it does not link the driver. */
#include "pins.h"

#include "driver/sensor/apds9007.h"

APDS9007_DEVICE(apds9007, BOARD_APDS_9007_PIN, BOARD_APDS_9007_SHUTDOWN_PIN);

SENSOR(light, apds9007, SENSOR_LIGHT, APDS9007_LIGHT);
