/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Keeping the processor. */
#ifndef KEEP_H
#define KEEP_H

#include "hold.h"

static inline void keep_prepare(void)
{
}

static inline void keep_processor(unsigned seconds)
{
    hold_s(seconds);
}

#endif
