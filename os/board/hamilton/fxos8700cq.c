/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: its sensor of acceleration and magnetic field. In a separate file, so
 * that a program without it does not link the driver. */
#include "pins.h"

#include "driver/sensor/fxos8700cq.h"

FXOS8700CQ_DEVICE(fxos8700cq, BOARD_FXOS8700CQ_ADDRESS);

SENSOR(acceleration_x, fxos8700cq, SENSOR_ACCELERATION_X, FXOS8700CQ_ACCELERATION_X);
SENSOR(acceleration_y, fxos8700cq, SENSOR_ACCELERATION_Y, FXOS8700CQ_ACCELERATION_Y);
SENSOR(acceleration_z, fxos8700cq, SENSOR_ACCELERATION_Z, FXOS8700CQ_ACCELERATION_Z);
SENSOR(magnetic_x, fxos8700cq, SENSOR_MAGNETIC_X, FXOS8700CQ_MAGNETIC_X);
SENSOR(magnetic_y, fxos8700cq, SENSOR_MAGNETIC_Y, FXOS8700CQ_MAGNETIC_Y);
SENSOR(magnetic_z, fxos8700cq, SENSOR_MAGNETIC_Z, FXOS8700CQ_MAGNETIC_Z);
SENSOR(temperature_2, fxos8700cq, SENSOR_TEMPERATURE, FXOS8700CQ_TEMPERATURE);
