/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Prints outside of functions.
 *
 * error: test/refused/print_outside.c:10:1: the call of `print' stands outside of every function
 * help: put it into a THREAD, or into a function that INIT names (<lichen/init.h>)
 */
/* clang-format off */
#include <lichen/print.h>

print("hello\n");
