/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The table of neighbours of a program that declares none. */
#include <lichen/link.h>

LINK_NEIGHBOURS(8);
