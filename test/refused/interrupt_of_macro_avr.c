/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A handler's vector has the name of a register, which avr-libc has made a macro.
 *
 * on: micaz
 * refused: `ADC' is a macro here, and stands for something else
 */
#include <avr/io.h>

#include <lichen/interrupt.h>

INTERRUPT(ADC)
{
}
