/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A product does not fit an int of 16 bits.
 *
 * on: micaz
 * error: test/refused/language_product_16_bits.c:15:17: the result does not fit int, which has 16
 *        bits on AVR: up to 32,767
 * help: compute it in a wider type: 60000UL, or 60UL * 1000
 */
/* clang-format off */
#include <lichen/thread.h>
#include <lichen/time.h>

THREAD(t, 512, PRIORITY_APP)
{
    sleep_ms(60 * 1000);
}
