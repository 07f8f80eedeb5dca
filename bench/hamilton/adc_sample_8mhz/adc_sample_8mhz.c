/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A sample of the converter, at the frequency at which the chip starts. */
#include "../samples.h"

THREAD(sampler, 256, PRIORITY_APP)
{
    sample_periodically();
}
