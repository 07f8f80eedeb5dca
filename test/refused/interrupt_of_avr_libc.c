/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* avr-libc's macro names a function that no vector of Lichen's calls: it would never run.
 *
 * on: micaz
 * refused: a handler that is written with ISR() is never called
 */
#include <avr/interrupt.h>

ISR(ADC_vect)
{
}
