/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What public headers need from an architecture (os/arch/arch.h), as far as code needs it that is
 * compiled for the host, with sanitizers, to be compared with others' or to be fed with anything.
 */
#ifndef LICHEN_ARCH_H
#define LICHEN_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#define ARCH_FLASH

#define ARCH_TEXT(literal) (literal)

/* A sanitizer prints where. */
#define ARCH_ASSERT_FAILED(line) __builtin_trap()

#endif
