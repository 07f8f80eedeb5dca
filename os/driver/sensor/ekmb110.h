/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Panasonic EKMB110: motion, as a pin that is high while something moves. One device, which has an
 * `input`. */
#ifndef DRIVER_SENSOR_EKMB110_H
#define DRIVER_SENSOR_EKMB110_H

#include "driver/sensor/device.h"

enum ekmb110_reading { EKMB110_MOTION, EKMB110_WORDS };

extern const ARCH_FLASH struct sensor_driver ekmb110_driver;

#define EKMB110_DEVICE(name, input_)                                                               \
    SENSOR_DEVICE(name, ekmb110_driver, EKMB110_WORDS, .input = (input_))

#endif
