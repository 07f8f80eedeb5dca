/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A read of four bytes by I2C, at the frequency at which the chip starts. */
#include "../reads.h"

THREAD(reader, 512, PRIORITY_APP)
{
    read_periodically();
}
