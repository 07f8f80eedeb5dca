/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The operations of this program. */
#ifndef TEST_FORCE_SLICES_SLICES_H
#define TEST_FORCE_SLICES_SLICES_H

#include "force.h"

/* compute.c */
extern const struct force_operation operation_compute;

/* ../kernel/post.c */
extern const struct force_operation operation_post;

#endif
