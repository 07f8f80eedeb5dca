/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A fraction is given to a whole number.
 *
 * error: test/refused/number_of_float.c:15:18: a number with a fraction stands where whole numbers
 *        count
 * help: say that it is cut off: (uint16_t)value
 */
#include <lichen/thread.h>

volatile float mean;
volatile uint16_t millivolts;

THREAD(rounds, 512, PRIORITY_APP)
{
    millivolts = mean;
}
