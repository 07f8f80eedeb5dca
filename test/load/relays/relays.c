/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* An image that takes programs over its serial console and over the air, with little else. */
#include <lichen/loader_air.h>
#include <lichen/loader_serial.h>

LINK_FRAMES(3, DISSEMINATION_FRAME);
LOADER(PRIORITY_HIGH);
LOADER_SERIAL("relays");
LOADER_OVER_THE_AIR(0);
