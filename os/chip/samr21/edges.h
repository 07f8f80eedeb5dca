/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The interrupt of edges of pins (eic.c), which the radio's line has, too (radio_line.c). */
#ifndef SAMR21_EDGES_H
#define SAMR21_EDGES_H

/* Serves the interrupt for the radio's line. Its address is 0 in a program without the radio.
 * context   the handler of the EIC
 */
__attribute__((weak)) void radio_line_serve(void);

#endif
