/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICAz mote: its supply. In a separate file, so
 * that a program without it does not link the driver. */
#include "driver/sensor/supply.h"

SUPPLY_DEVICE(supply);

SENSOR(supply, supply, SENSOR_SUPPLY, SUPPLY_VOLTAGE);
