/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The pin that the console and the sensor of motion share. */
#ifndef HAMILTON_SHARED_PIN_H
#define HAMILTON_SHARED_PIN_H

/* In the files of both, each with a number of its own: a program that uses both defines the symbol
 * twice and does not link. */
#define PIN_OF_CONSOLE_AND_MOTION(number)                                                          \
    __asm__(".global pin_of_console_and_motion\n\t"                                                \
            ".set pin_of_console_and_motion, " #number)

#endif
