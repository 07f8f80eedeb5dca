/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: the sensor of motion that some have, at the console's pin. In a separate file, so
 * that a program without it does not link the driver. */
#include "pins.h"
#include "shared_pin.h"

#include "driver/sensor/ekmb110.h"

PIN_OF_CONSOLE_AND_MOTION(2);

EKMB110_DEVICE(ekmb110, BOARD_EKMB110_PIN);

SENSOR(motion, ekmb110, SENSOR_MOTION, EKMB110_MOTION);
