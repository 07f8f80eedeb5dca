/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program begins in `main', which nothing calls.
 *
 * refused: Lichen has no `main'
 */
#include <lichen/led.h>

int main(void)
{
    led_toggle(0);
    return 0;
}
