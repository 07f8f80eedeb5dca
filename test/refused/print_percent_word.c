/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A percent sign before a word.
 *
 * error: test/refused/print_percent_word.c:13:11: a % in the text begins no value that print knows
 * help: write %% for a percent sign; values are %d, %u, %x, %s and %c (<lichen/print.h>)
 */
/* clang-format off */
#include <lichen/print.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    print("100% sure\n");
}
