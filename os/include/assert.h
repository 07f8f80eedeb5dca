/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The C library's header by its usual name: assert is that of lichen/assert.h. */
#ifndef LICHEN_C_ASSERT_H
#define LICHEN_C_ASSERT_H

#include <lichen/assert.h>

#define static_assert _Static_assert

#endif
