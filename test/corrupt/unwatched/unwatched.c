/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What test/corrupt/everything does, without a watchdog. */
#include "corrupt.h"

void corrupt_all_work(void)
{
}
