/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Texts that may lie in flash (lichen/print.h). */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>

/* Whether two texts are the same.
 * context   any
 */
bool text_is_same(const char *one, const char *other);

#endif
