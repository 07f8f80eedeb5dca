/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What programs of test/fuzz share. */
#ifndef FUZZ_HOST_HOST_H
#define FUZZ_HOST_HOST_H

#include <lichen/arch.h>

/* Calls tell() before the program dies, because of an assertion or a sanitizer: it says of which
 * input. */
void host_at_death(void (*tell)(void));

/* Ends the program if the condition is false. */
#define require(condition) ((condition) ? (void)0 : host_assert_failed(__FILE__, __LINE__))

#endif
