/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The threads of a program that declares them for the link of other radios: they end at once. */
#include <lichen/link.h>

void link_run_main(void)
{
    thread_exit();
}

void link_run_tx(void)
{
    thread_exit();
}

void link_run_in_turn(void)
{
    thread_exit();
}
