/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The header of tests is looked for among those of the system.
 *
 * error: test/refused/test_header.c:9:10: there is no header `lichen/test.h'
 * help: a test of a program, in its folder test, writes #include "test.h"
 */
/* clang-format off */
#include <lichen/thread.h>
#include <lichen/test.h>

THREAD(t, 512, PRIORITY_APP)
{
    expect(1);
}
