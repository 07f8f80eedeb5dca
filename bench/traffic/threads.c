/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The link in two threads. */
#include <lichen/link.h>
#include <lichen/thread.h>

LINK_THREADS(LINK_MAIN_STACK, LINK_TX_STACK);
