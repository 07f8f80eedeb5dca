/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What loading costs without a program. */
#include <lichen/thread.h>

THREAD(null, 256, PRIORITY_APP)
{
}
