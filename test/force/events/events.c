/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Woven pairs, each way of posting their halves against each. */
#include "events.h"

const struct force_operation *const force_operations[] = {
    &operation_weave,
    &operation_chain,
    &operation_half,
};
