/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* CntToRfm. */
#include "../count.h"

static void show(uint16_t count)
{
    (void)count;
}
