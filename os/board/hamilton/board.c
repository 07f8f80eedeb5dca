/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Hamilton mote: what is wired where. The facts are in board/hamilton.toml, from which pins.h is
 * generated. */
#include "pins.h"

#include "chip/chip.h"
#include "chip/samr21/wiring.h"
#include "driver/button/wiring.h"
#include "driver/led/wiring.h"

CHIP_CRYSTAL(BOARD_XOSC32K_HZ);

const ARCH_FLASH struct led board_leds[] = {
    {BOARD_LED0_PIN, BOARD_LED0_ON_LEVEL},
};
const ARCH_FLASH uint8_t board_led_count = BOARD_LED_COUNT;
_Static_assert(sizeof(board_leds) / sizeof(*board_leds) == BOARD_LED_COUNT, "an LED is missing");

const ARCH_FLASH struct button board_buttons[] = {
    {BOARD_BUTTON0_PIN, BOARD_BUTTON0_ON_LEVEL, BOARD_BUTTON0_PULL},
};
const ARCH_FLASH uint8_t board_button_count = BOARD_BUTTON_COUNT;
_Static_assert(sizeof(board_buttons) / sizeof(*board_buttons) == BOARD_BUTTON_COUNT,
               "a button is missing");

/* Lines of the I2C bus, of pins of the group A. */
#define SDA mask_of(BOARD_I2C_SDA_PIN)
#define SCL mask_of(BOARD_I2C_SCL_PIN)

/* Drives lines low and leaves the others to their resistors. With its call it takes 20 cycles or
 * more, a third of a bit of some 130 kHz. */
static __attribute__((noinline)) void drive_low(uint32_t lines)
{
    PORT_IOBUS[0].DIRSET = lines;
    PORT_IOBUS[0].DIRCLR = (SDA | SCL) & ~lines;
}

/* Write to the address 0x44, register 2, 0: MOD = 0. Each byte is followed by the bit that the part
 * acknowledges. The last four bits are 0 like those that are shifted in; the last acknowledgment,
 * which the part drives low, may be driven low, too. */
#define COMMAND UINT32_C(0x88814020)
#define BITS    36u
#define FIRST   (UINT32_C(1) << 31)
_Static_assert(BOARD_TMP006_ADDRESS == 0x44, "the command has the address");

/* The sensor of radiant temperature converts from power-on and draws 240 uA, so every program stops
 * it (TMP006 data sheet, SBOS518, "Configuration Register"). Four bytes are sent once, so the lines
 * are driven bit by bit, which takes less flash than an interface. Nobody looks whether they are
 * acknowledged: the sensor's driver does.
 */
static void tmp006_stop(void)
{
    drive_low(SDA);
    uint32_t bits = COMMAND;
    for (unsigned left = BITS; left > 0; left--, bits <<= 1) {
        uint32_t data = bits & FIRST ? 0 : SDA;
        drive_low(data | SCL);
        drive_low(data);
        drive_low(data | SCL);
    }
    drive_low(SDA | SCL);
    drive_low(SDA);
    drive_low(0);
}

/* The LED and the sensors of light and radiant temperature are switched off, even in a program that
 * never uses them. */
void board_init(void)
{
    pin_output(BOARD_LED0_PIN, !BOARD_LED0_ON_LEVEL);
    pin_output(BOARD_APDS_9007_SHUTDOWN_PIN, true);
    tmp006_stop();
}
