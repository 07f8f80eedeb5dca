/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A pin is written as in the data sheet.
 *
 * error: test/refused/gpio_as_in_data_sheet.c:13:17: nothing declares `PA19'
 * help: write GPIO_PIN('A', 19) (<lichen/gpio.h>)
 */
/* clang-format off */
#include <lichen/gpio.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    gpio_output(PA19, true);
}
