/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The C library's header. On ARM, memcmp, memcpy and memset are not the library's but the system's,
 * in fewer bytes and cycles (os/arch/armv6m). A program that defines one of them has its own. */
#ifndef LICHEN_C_STRING_H
#define LICHEN_C_STRING_H

#include_next <string.h>

#endif
