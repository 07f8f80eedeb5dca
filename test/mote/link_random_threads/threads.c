/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The threads of link_random.c. */
#include <lichen/link.h>

LINK_THREADS(LINK_MAIN_STACK, LINK_TX_STACK);
