/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What an image has that takes programs and gives them the link: nothing of its own. With the
 * usual pool of packets it does not fit into a MICAz. */
#include <lichen/loader.h>
#include <lichen/loader_serial.h>
#include <lichen/packet.h>

PACKET_POOL(ARCH_FLASH_IS_APART ? 4 : 16); /* as app/link */
LOADER(PRIORITY_HIGH);
LOADER_SERIAL("linked");
