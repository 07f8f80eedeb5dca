/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* MICA2 mote: the CC1000 as the radio of programs that use lichen/radio.h. */
#include "driver/radio/cc1000/wiring.h"

RADIO_IS(cc1000, CC1000_FACTS);
