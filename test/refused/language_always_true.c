/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A byte is compared with 256.
 *
 * error: test/refused/language_always_true.c:14:27: the comparison has always the same result: the
 *        type has no such numbers
 * help: take a wider type; uint8_t goes from 0 to 255, int8_t from -128 to 127
 */
/* clang-format off */
#include <lichen/led.h>
#include <lichen/thread.h>

THREAD(t, 512, PRIORITY_APP)
{
    for (uint8_t i = 0; i < 256; i++) {
        led_toggle(0);
    }
}
