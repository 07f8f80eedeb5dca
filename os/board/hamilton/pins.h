/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Generated from board/hamilton.toml by `./lichen generate`. Do not edit. */
#ifndef BOARD_PINS_H
#define BOARD_PINS_H

#include <lichen/gpio.h>

#define BOARD_NAME  "hamilton"
#define BOARD_TITLE "Hamilton mote"

/* 32 kHz crystal: frequency in Hz, 0 if there is none. */
#define BOARD_XOSC32K_HZ 0

/* LEDs */
#define BOARD_LED_COUNT 1

#define BOARD_LED0_NAME     "led0"
#define BOARD_LED0_PIN      GPIO_PIN('A', 19)
#define BOARD_LED0_ON_LEVEL 1

/* Buttons */
#define BOARD_BUTTON_COUNT 1

#define BOARD_BUTTON0_NAME     "button0"
#define BOARD_BUTTON0_PIN      GPIO_PIN('A', 18)
#define BOARD_BUTTON0_ON_LEVEL 0
#define BOARD_BUTTON0_PULL     GPIO_PULL_NONE

/* Console */
#define BOARD_CONSOLE_SERCOM   0
#define BOARD_CONSOLE_FUNCTION 'D'
#define BOARD_CONSOLE_TX_PIN   GPIO_PIN('A', 6)
#define BOARD_CONSOLE_TX_PAD   2
#define BOARD_CONSOLE_RX_PIN   GPIO_PIN('A', 7)
#define BOARD_CONSOLE_RX_PAD   3
#define BOARD_CONSOLE_BAUD     115200

/* Analog pins */
#define BOARD_ANALOG_COUNT 3

#define BOARD_ANALOG0_PIN GPIO_PIN('A', 6)
#define BOARD_ANALOG1_PIN GPIO_PIN('A', 7)
#define BOARD_ANALOG2_PIN GPIO_PIN('A', 8)

/* I2C */
#define BOARD_I2C_SERCOM   3
#define BOARD_I2C_FUNCTION 'D'
#define BOARD_I2C_SDA_PIN  GPIO_PIN('A', 16)
#define BOARD_I2C_SCL_PIN  GPIO_PIN('A', 17)

/* HDC1080 */
#define BOARD_HDC1080_ADDRESS 0x40

/* TMP006 */
#define BOARD_TMP006_ADDRESS 0x44

/* FXOS8700CQ */
#define BOARD_FXOS8700CQ_ADDRESS 0x1e
#define BOARD_FXOS8700CQ_IRQ_PIN GPIO_PIN('A', 24)

/* APDS-9007 */
#define BOARD_APDS_9007_PIN          GPIO_PIN('A', 8)
#define BOARD_APDS_9007_SHUTDOWN_PIN GPIO_PIN('A', 28)

/* EKMB110 */
#define BOARD_EKMB110_PIN GPIO_PIN('A', 6)

#endif
