/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a board tells the chip about what is soldered to it. Defined by os/board/<name>. */
#ifndef SAMR21_WIRING_H
#define SAMR21_WIRING_H

#include <stdint.h>

struct chip_wiring {
    uint32_t xosc32k_hz; /* crystal at XIN32/XOUT32, 0 if there is none */
};

extern const struct chip_wiring chip_wiring;

/* Name of the vector of SERCOM `n`, for INTERRUPT(). */
#define SERCOM_VECTOR(n)  SERCOM_VECTOR_(n)
#define SERCOM_VECTOR_(n) SERCOM##n

/* A serial port: which SERCOM, and where its lines leave the chip. Pads and pin functions are those
 * of the data sheet's table of multiplexed signals. */
struct usart_port {
    uint8_t sercom;   /* 0 to 5 */
    char function;    /* of both pins: 'A' to 'H' */
    uint8_t send_pin; /* GPIO_PIN(...) */
    uint8_t send_pad; /* 0 or 2 */
    uint8_t receive_pin;
    uint8_t receive_pad; /* 0 to 3 */
};

#endif
