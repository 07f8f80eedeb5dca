/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One wake-up with nothing to do, at the frequency at which the chip starts. */
#include "../period.h"

THREAD(sleeper, 256, PRIORITY_APP)
{
    sleep_periodically();
}
