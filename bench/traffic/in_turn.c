/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link in one thread. */
#include <lichen/link.h>
#include <lichen/thread.h>

LINK_IN_TURN;
