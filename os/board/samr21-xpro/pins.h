/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from board/samr21-xpro.toml by `./lichen generate`. Do not edit. */
#ifndef BOARD_PINS_H
#define BOARD_PINS_H

#include <lichen/gpio.h>

#define BOARD_NAME  "samr21-xpro"
#define BOARD_TITLE "SAM R21 Xplained Pro"

/* 32 kHz crystal: frequency in Hz, 0 if there is none. */
#define BOARD_XOSC32K_HZ 32768

/* LEDs */
#define BOARD_LED_COUNT 1

#define BOARD_LED0_NAME     "led0"
#define BOARD_LED0_PIN      GPIO_PIN('A', 19)
#define BOARD_LED0_ON_LEVEL 0

/* Buttons */
#define BOARD_BUTTON_COUNT 1

#define BOARD_BUTTON0_NAME     "sw0"
#define BOARD_BUTTON0_PIN      GPIO_PIN('A', 28)
#define BOARD_BUTTON0_ON_LEVEL 0
#define BOARD_BUTTON0_PULL     GPIO_PULL_UP

/* Console */
#define BOARD_CONSOLE_SERCOM   0
#define BOARD_CONSOLE_FUNCTION 'D'
#define BOARD_CONSOLE_TX_PIN   GPIO_PIN('A', 4)
#define BOARD_CONSOLE_TX_PAD   0
#define BOARD_CONSOLE_RX_PIN   GPIO_PIN('A', 5)
#define BOARD_CONSOLE_RX_PAD   1
#define BOARD_CONSOLE_BAUD     115200

/* Second serial port */
#define BOARD_UART_SERCOM   3
#define BOARD_UART_FUNCTION 'C'
#define BOARD_UART_TX_PIN   GPIO_PIN('A', 22)
#define BOARD_UART_TX_PAD   0
#define BOARD_UART_RX_PIN   GPIO_PIN('A', 23)
#define BOARD_UART_RX_PAD   1

/* Analog pins */
#define BOARD_ANALOG_COUNT 2

#define BOARD_ANALOG0_PIN GPIO_PIN('A', 6)
#define BOARD_ANALOG1_PIN GPIO_PIN('A', 7)

/* I2C */
#define BOARD_I2C_SERCOM   1
#define BOARD_I2C_FUNCTION 'C'
#define BOARD_I2C_SDA_PIN  GPIO_PIN('A', 16)
#define BOARD_I2C_SCL_PIN  GPIO_PIN('A', 17)

/* SPI */
#define BOARD_SPI_SERCOM   5
#define BOARD_SPI_FUNCTION 'D'
#define BOARD_SPI_MOSI_PIN GPIO_PIN('B', 22)
#define BOARD_SPI_MOSI_PAD 2
#define BOARD_SPI_SCK_PIN  GPIO_PIN('B', 23)
#define BOARD_SPI_SCK_PAD  3
#define BOARD_SPI_MISO_PIN GPIO_PIN('B', 2)
#define BOARD_SPI_MISO_PAD 0

/* EDBG */
#define BOARD_EDBG_ADDRESS 0x28

#endif
