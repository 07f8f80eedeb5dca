/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A variable has the name of its thread.
 *
 * error: test/refused/name_of_thread_again.c:13:9: `t' is already the name of what THREAD declares
 * help: give the variable another name; the other is at test/refused/name_of_thread_again.c:11:8
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    int t = 3;
    print("%d\n", t);
}
