/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a board tells the chip about what is soldered to it. Defined by os/board/<name>. */
#ifndef SAMR21_WIRING_H
#define SAMR21_WIRING_H

#include <stdint.h>

#include "chip/samr21/pin.h"

/* Declares the crystal at XIN32/XOUT32, and links its driver into every program of the board.
 * hz        0 if there is none
 */
#define CHIP_CRYSTAL(hz)  CHIP_CRYSTAL_(hz)
#define CHIP_CRYSTAL_(hz) __asm__(".if " #hz "\n\t.global chip_crystal\n\t.endif")

/* Name of the vector of SERCOM `n`, for INTERRUPT(). */
#define SERCOM_VECTOR(n)  SERCOM_VECTOR_(n)
#define SERCOM_VECTOR_(n) SERCOM##n

/* A serial port: its SERCOM, and the pins of its lines. Pads and pin functions are those
 * of the data sheet's table of multiplexed signals. */
struct usart_port {
    uint8_t sercom;   /* 0 to 5 */
    char function;    /* of both pins: 'A' to 'H' */
    uint8_t send_pin; /* GPIO_PIN(...) */
    uint8_t send_pad; /* 0 or 2 */
    uint8_t receive_pin;
    uint8_t receive_pad; /* 0 to 3 */
};

/* An I2C bus: its SERCOM, and the pins of its lines, at PAD[0] and PAD[1]. */
struct i2c_port {
    uint8_t sercom;
    char function;   /* of both pins */
    uint8_t sda_pin; /* GPIO_PIN(...) */
    uint8_t scl_pin;
};

#endif
