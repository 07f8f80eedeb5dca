/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Cooperative threads that do what the host tells them. */
#ifndef TEST_MODEL_FRAME_COOPS_H
#define TEST_MODEL_FRAME_COOPS_H

#include "model.h"

/* The calls on them that any actor may make.
 * context   any, as the call itself
 */
int coops_call(const struct command *command);

#endif
