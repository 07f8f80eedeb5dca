/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The stack of cooperative threads in a program that has threads, if it declares none. */
#include <lichen/coop.h>

COOP_STACK(512);
