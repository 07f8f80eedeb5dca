/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "corrupt.h"

void corrupt_round(void)
{
    __asm__ volatile("");
}
