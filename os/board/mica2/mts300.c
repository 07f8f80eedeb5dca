/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICA2 mote: light and temperature of a sensor board MTS300 or MTS310. In a separate file, so
 * that a program without it does not link the driver. */
#include "driver/sensor/mts.h"

MTS300_DEVICE(mts300);

SENSOR(temperature, mts300, SENSOR_TEMPERATURE, MTS300_TEMPERATURE);
SENSOR(light, mts300, SENSOR_LIGHT, MTS300_LIGHT);
