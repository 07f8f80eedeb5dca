/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Relay: an image that takes programs over its serial console and over the air, and passes them on.
 * Of a network of these motes one is sent a program, and all of them run it.
 *
 *     ./lichen key app/relay/relay.key
 *     ./lichen pack sense --board hamilton --key app/relay/relay.key
 *     ./lichen run relay --serial
 *     ./lichen load build/hamilton/sense/sense.lichen --to-all --port ...
 *
 * It has no other work. The radio listens all the time.
 */
#include <lichen/loader.h>
#include <lichen/loader_air.h>
#include <lichen/loader_serial.h>
#include <lichen/packet.h>

LOADER(PRIORITY_HIGH);
LOADER_SERIAL("relay");
LOADER_OVER_THE_AIR(0);

PACKET_POOL(8);
