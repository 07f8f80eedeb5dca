/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The frames of a program that declares none: the longest ones. */
#include <lichen/link.h>

LINK_FRAMES(3, 118);
