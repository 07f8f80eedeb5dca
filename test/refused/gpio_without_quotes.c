/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The port of a pin has no quotes.
 *
 * error: test/refused/gpio_without_quotes.c:13:26: the port of a pin is a letter in single quotes
 * help: write GPIO_PIN('A', 19)
 */
/* clang-format off */
#include <lichen/gpio.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    gpio_output(GPIO_PIN(A, 19), true);
}
