/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Edges of pins (eic.c), for the radio's line, which has the same interrupt. */
#ifndef SAMR21_EDGES_H
#define SAMR21_EDGES_H

/* Serves the interrupt for pins whose edges post events. Its address is 0 in a program that has
 * none.
 * context   the handler of the EIC
 */
__attribute__((weak)) void edges_serve(void);

#endif
