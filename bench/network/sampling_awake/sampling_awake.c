/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sampling beside a thread that never sleeps. */
#include "../sampling.h"

THREAD(toil, 256, PRIORITY_LOW)
{
    sample_start();
    for (;;) {
        compute(1);
    }
}
