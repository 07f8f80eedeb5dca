/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What an image has that takes programs and gives them the link: nothing of its own. Its pool of
 * packets is the usual one. */
#include <lichen/loader.h>
#include <lichen/loader_serial.h>

LOADER(PRIORITY_HIGH);
LOADER_SERIAL(PRIORITY_HIGH);
