/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A pin beyond its port.
 *
 * error: test/refused/gpio_bit_too_large.c:13:17: the number of a pin is beyond its port
 * help: a port has pins 0 to 31, on the ATmega128 0 to 7
 */
/* clang-format off */
#include <lichen/gpio.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    gpio_output(GPIO_PIN('A', 32), true);
}
