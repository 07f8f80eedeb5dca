/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Serial communication interface as USART (SAM R21 data sheet, section SERCOM USART). */
#ifndef SAMR21_REG_SERCOM_H
#define SAMR21_REG_SERCOM_H

#include <stddef.h>
#include <stdint.h>

struct sercom_usart {
    uint32_t volatile CTRLA;
    uint32_t volatile CTRLB;
    uint32_t reserved_08;
    uint16_t volatile BAUD;
    uint8_t volatile RXPL;
    uint8_t reserved_0f[5];
    uint8_t volatile INTENCLR;
    uint8_t reserved_15;
    uint8_t volatile INTENSET;
    uint8_t reserved_17;
    uint8_t volatile INTFLAG;
    uint8_t reserved_19;
    uint16_t volatile STATUS;
    uint32_t const volatile SYNCBUSY;
    uint8_t reserved_20[8];
    uint16_t volatile DATA;
};
_Static_assert(offsetof(struct sercom_usart, INTENCLR) == 0x14, "USART.INTENCLR");
_Static_assert(offsetof(struct sercom_usart, DATA) == 0x28, "USART.DATA");

/* SERCOM `n`, 0 to 5. */
#define SERCOM_USART(n) ((struct sercom_usart *)(0x42000800 + (n)*0x400))

enum {
    USART_CTRLA_SWRST = 1 << 0,
    USART_CTRLA_ENABLE = 1 << 1,
    USART_CTRLA_MODE_INT_CLK = 1 << 2,
    USART_CTRLA_IBON = 1 << 8,
    USART_CTRLA_TXPO_Pos = 16,
    USART_CTRLA_RXPO_Pos = 20,
    USART_CTRLA_DORD_LSB = 1 << 30,
};

enum {
    USART_CTRLB_SFDE = 1 << 9,
    USART_CTRLB_TXEN = 1 << 16,
    USART_CTRLB_RXEN = 1 << 17,
};

/* Bits of INTENCLR, INTENSET and INTFLAG. */
enum {
    USART_INT_DRE = 1 << 0,
    USART_INT_TXC = 1 << 1,
    USART_INT_RXC = 1 << 2,
};

enum {
    USART_STATUS_FERR = 1 << 1,
    USART_STATUS_BUFOVF = 1 << 2,
};

#endif
