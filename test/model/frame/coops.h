/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads that do what they are told. */
#ifndef TEST_MODEL_FRAME_COOPS_H
#define TEST_MODEL_FRAME_COOPS_H

#include "model.h"

/* What anybody may do to them.
 * context   any, as the call itself
 */
struct answer coops_call(const struct command *command);

#endif
