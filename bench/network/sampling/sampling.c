/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Sampling, and nothing else. */
#include "../sampling.h"

THREAD(sweep, 256, PRIORITY_LOW)
{
    sample_start();
    sweep_phases();
}
