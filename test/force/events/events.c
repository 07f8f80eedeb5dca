/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Woven pairs: every way of posting their halves against every other. */
#include "events.h"

const struct force_operation *const force_operations[] = {
    &operation_weave,
    &operation_chain,
    &operation_half,
};
