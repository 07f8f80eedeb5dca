/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A global is declared before Lichen's headers, and called like a parameter of an inline function.
 *
 * refused: global_before_headers.c:6:5: `level' is declared before Lichen's headers, which
 */
int level;

#include <lichen/event.h>
