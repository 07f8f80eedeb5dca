/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <avr/io.h>

#include <lichen/init.h>

/* Timer 1 counts cycles. */
static void cycles_start(void)
{
    TCCR1B = 1 << CS10;
}
INIT(cycles_start);
