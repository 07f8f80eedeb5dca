/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Serial communication interface as USART, SPI master and I2C master (SAM R21 data sheet, sections
 * SERCOM USART, SERCOM SPI and SERCOM I2C). */
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
    USART_CTRLA_FORM_PARITY = 1 << 24,
    USART_CTRLA_DORD_LSB = 1 << 30,
};

enum {
    USART_CTRLB_SFDE = 1 << 9,
    USART_CTRLB_PMODE_ODD = 1 << 13,
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
    USART_STATUS_PERR = 1 << 0,
    USART_STATUS_FERR = 1 << 1,
    USART_STATUS_BUFOVF = 1 << 2,
};

struct sercom_spi {
    uint32_t volatile CTRLA;
    uint32_t volatile CTRLB;
    uint32_t reserved_08;
    uint8_t volatile BAUD;
    uint8_t reserved_0d[7];
    uint8_t volatile INTENCLR;
    uint8_t reserved_15;
    uint8_t volatile INTENSET;
    uint8_t reserved_17;
    uint8_t volatile INTFLAG;
    uint8_t reserved_19;
    uint16_t volatile STATUS;
    uint32_t const volatile SYNCBUSY;
    uint32_t reserved_20;
    uint32_t volatile ADDR;
    uint32_t volatile DATA;
};
_Static_assert(offsetof(struct sercom_spi, INTENCLR) == 0x14, "SPI.INTENCLR");
_Static_assert(offsetof(struct sercom_spi, DATA) == 0x28, "SPI.DATA");

/* SERCOM `n`, 0 to 5. */
#define SERCOM_SPI(n) ((struct sercom_spi *)(0x42000800 + (n)*0x400))

enum {
    SPI_CTRLA_SWRST = 1 << 0,
    SPI_CTRLA_ENABLE = 1 << 1,
    SPI_CTRLA_MODE_MASTER = 3 << 2,
    SPI_CTRLA_IBON = 1 << 8,
    SPI_CTRLA_DOPO_Pos = 16,
    SPI_CTRLA_DIPO_Pos = 20,
    SPI_CTRLA_CPHA_Pos = 28, /* CPOL follows, as the mode's upper bit */
};

enum {
    SPI_CTRLB_RXEN = 1 << 17,
};

/* Bits of INTENCLR, INTENSET and INTFLAG. */
enum {
    SPI_INT_DRE = 1 << 0,
    SPI_INT_TXC = 1 << 1,
    SPI_INT_RXC = 1 << 2,
    SPI_INT_ERROR = 1 << 7,
};

enum {
    SPI_STATUS_BUFOVF = 1 << 2,
};

struct sercom_i2cm {
    uint32_t volatile CTRLA;
    uint32_t volatile CTRLB;
    uint32_t reserved_08;
    uint32_t volatile BAUD;
    uint32_t reserved_10;
    uint8_t volatile INTENCLR;
    uint8_t reserved_15;
    uint8_t volatile INTENSET;
    uint8_t reserved_17;
    uint8_t volatile INTFLAG;
    uint8_t reserved_19;
    uint16_t volatile STATUS;
    uint32_t const volatile SYNCBUSY;
    uint32_t reserved_20;
    uint32_t volatile ADDR;
    uint8_t volatile DATA;
};
_Static_assert(offsetof(struct sercom_i2cm, INTENCLR) == 0x14, "I2CM.INTENCLR");
_Static_assert(offsetof(struct sercom_i2cm, DATA) == 0x28, "I2CM.DATA");

/* SERCOM `n`, 0 to 5. */
#define SERCOM_I2CM(n) ((struct sercom_i2cm *)(0x42000800 + (n)*0x400))

enum {
    I2CM_CTRLA_SWRST = 1 << 0,
    I2CM_CTRLA_ENABLE = 1 << 1,
    I2CM_CTRLA_MODE_MASTER = 5 << 2,
    I2CM_CTRLA_SDAHOLD_600NS = 3 << 20,
    I2CM_CTRLA_LOWTOUTEN = 1 << 30,
};

enum {
    I2CM_CTRLB_SMEN = 1 << 8,
    I2CM_CTRLB_CMD_STOP = 3 << 16,
    I2CM_CTRLB_NACK = 1 << 18,
};

enum {
    I2CM_ADDR_LENEN = 1 << 13,
    I2CM_ADDR_LEN_Pos = 16,
    I2CM_ADDR_LEN_MAX = 255,
};

/* Bits of INTENCLR, INTENSET and INTFLAG. */
enum {
    I2CM_INT_MB = 1 << 0,
    I2CM_INT_SB = 1 << 1,
    I2CM_INT_ERROR = 1 << 7,
};

enum {
    I2CM_STATUS_BUSERR = 1 << 0,
    I2CM_STATUS_ARBLOST = 1 << 1,
    I2CM_STATUS_RXNACK = 1 << 2,
    I2CM_STATUS_IDLE = 1 << 4,
    I2CM_STATUS_OWNER = 2 << 4,
    I2CM_STATUS_BUSY = 3 << 4,
    I2CM_STATUS_BUSSTATE = 3 << 4,
    I2CM_STATUS_LOWTOUT = 1 << 6,
    I2CM_STATUS_CLKHOLD = 1 << 7,
};

#endif
