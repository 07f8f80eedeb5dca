/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The pool of a program that declares none: its symbols are the program's own otherwise, and this
 * file is not linked. 1.2 KB on machines with pointers of 32 bits, 0.9 KB where they have 16. */
#include <lichen/packet.h>

PACKET_POOL(PACKET_USUAL_BLOCKS);
