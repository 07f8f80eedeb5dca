/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from board/micaz.toml by `./lichen generate`. Do not edit. */
#ifndef BOARD_PINS_H
#define BOARD_PINS_H

#include <lichen/gpio.h>

#define BOARD_NAME  "micaz"
#define BOARD_TITLE "Crossbow MICAz"

/* 32 kHz crystal: frequency in Hz, 0 if there is none. */
#define BOARD_XOSC32K_HZ 32768

/* Main crystal: frequency in Hz. */
#define BOARD_XOSC_HZ 7372800

/* LEDs */
#define BOARD_LED_COUNT 3

#define BOARD_LED0_NAME     "red"
#define BOARD_LED0_PIN      GPIO_PIN('A', 2)
#define BOARD_LED0_ON_LEVEL 0

#define BOARD_LED1_NAME     "green"
#define BOARD_LED1_PIN      GPIO_PIN('A', 1)
#define BOARD_LED1_ON_LEVEL 0

#define BOARD_LED2_NAME     "yellow"
#define BOARD_LED2_PIN      GPIO_PIN('A', 0)
#define BOARD_LED2_ON_LEVEL 0

/* Buttons */
#define BOARD_BUTTON_COUNT 0

/* Console */
#define BOARD_CONSOLE_USART  0
#define BOARD_CONSOLE_TX_PIN GPIO_PIN('E', 1)
#define BOARD_CONSOLE_RX_PIN GPIO_PIN('E', 0)
#define BOARD_CONSOLE_BAUD   57600

/* Second serial port */
#define BOARD_UART_USART  1
#define BOARD_UART_TX_PIN GPIO_PIN('D', 3)
#define BOARD_UART_RX_PIN GPIO_PIN('D', 2)

/* Analog pins */
#define BOARD_ANALOG_COUNT 8

#define BOARD_ANALOG0_PIN GPIO_PIN('F', 0)
#define BOARD_ANALOG1_PIN GPIO_PIN('F', 1)
#define BOARD_ANALOG2_PIN GPIO_PIN('F', 2)
#define BOARD_ANALOG3_PIN GPIO_PIN('F', 3)
#define BOARD_ANALOG4_PIN GPIO_PIN('F', 4)
#define BOARD_ANALOG5_PIN GPIO_PIN('F', 5)
#define BOARD_ANALOG6_PIN GPIO_PIN('F', 6)
#define BOARD_ANALOG7_PIN GPIO_PIN('F', 7)

/* I2C */
#define BOARD_I2C_TWI     0
#define BOARD_I2C_SDA_PIN GPIO_PIN('D', 1)
#define BOARD_I2C_SCL_PIN GPIO_PIN('D', 0)

/* SPI */
#define BOARD_SPI_MOSI_PIN GPIO_PIN('D', 3)
#define BOARD_SPI_SCK_PIN  GPIO_PIN('D', 5)
#define BOARD_SPI_MISO_PIN GPIO_PIN('D', 2)

/* AT45DB041B */
#define BOARD_AT45DB041B_SELECT_PIN GPIO_PIN('A', 3)

/* DS2401 */
#define BOARD_DS2401_PIN GPIO_PIN('A', 4)

#endif
