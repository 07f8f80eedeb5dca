/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: acceleration of a sensor board MTS310. In a separate file, so
 * that a program without it does not link the driver. */
#include "driver/sensor/mts.h"

MTS310_DEVICE(mts310);

SENSOR(acceleration_x, mts310, SENSOR_ACCELERATION_X, MTS310_ACCELERATION_X);
SENSOR(acceleration_y, mts310, SENSOR_ACCELERATION_Y, MTS310_ACCELERATION_Y);
