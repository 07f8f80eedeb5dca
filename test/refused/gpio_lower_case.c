/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A port is a small letter.
 *
 * error: test/refused/gpio_lower_case.c:13:17: the port of a pin is no capital letter
 * help: PA19 is the pin of port A with the number 19
 */
/* clang-format off */
#include <lichen/gpio.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    gpio_output(GPIO_PIN('a', 19), true);
}
