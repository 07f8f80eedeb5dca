/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The C library's header; a call of what needs a heap or an operating system is an error that says
 * what there is. */
#ifndef LICHEN_C_STDLIB_H
#define LICHEN_C_STDLIB_H

#include_next <stdlib.h>

#define STDLIB_ABSENT(text) __attribute__((error(text)))
#define STDLIB_NO_HEAP(called)                                                                     \
    STDLIB_ABSENT("Lichen has no heap for " called "; declare static variables")

STDLIB_NO_HEAP("malloc") void *malloc(size_t size);
STDLIB_NO_HEAP("calloc") void *calloc(size_t count, size_t size);
STDLIB_NO_HEAP("realloc") void *realloc(void *block, size_t size);
STDLIB_NO_HEAP("free") void free(void *block);
STDLIB_ABSENT("Lichen has no rand; write random_u32 (<lichen/random.h>)") int rand(void);
STDLIB_ABSENT("a program does not exit; a thread ends by returning, and reset_mote starts again "
              "(<lichen/reset.h>)")
void exit(int status);
STDLIB_ABSENT(
    "a program does not abort; write panic(detail), which records where it was (<lichen/panic.h>)")
void abort(void);

#endif
