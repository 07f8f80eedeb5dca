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

/* I2C */
#define BOARD_I2C_SERCOM   3
#define BOARD_I2C_FUNCTION 'D'
#define BOARD_I2C_SDA_PIN  GPIO_PIN('A', 16)
#define BOARD_I2C_SCL_PIN  GPIO_PIN('A', 17)

#endif
