/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The radio draws 300 uA from power-on until it is told otherwise, a hundred times as much as the
 * rest of an idle mote. So every program puts it to sleep.
 *
 * It sleeps, at 0.2 uA, while SLP_TR is high in its state TRX_OFF, and that state is entered by a
 * command only: a reset leaves a radio that has just been powered where it is (AT86RF233 data
 * sheet, "State Control"). SLP_TR acts by its level, so it need not wait until the command is done.
 * Two bytes are sent once, so the wires are driven bit by bit, which takes less flash than an
 * interface; they stay driven, since the radio's inputs must not float.
 */
#include "chip/samr21/radio.h"

#include "chip/samr21/clock.h"
#include "chip/samr21/pin.h"

/* Pins of the groups A, B and C. */
enum {
    SLP_TR_A = 1 << 20,
    RST_B = 1 << 15,
    MOSI_B = 1 << 30,
    SCK_C = 1 << 18,
};
#define SEL_B (UINT32_C(1) << 31)

/* Write register TRX_STATE: FORCE_TRX_OFF. The first bit is sent first; the last one that is set
 * marks the end. */
#define COMMAND UINT32_C(0xc2038000)
#define END     UINT32_C(0x80000000)

enum {
    /* Until its crystal oscillates, 330 us after power-on and 1 ms at most, it hears nothing. */
    START_US = 1000,
    LOOP_CYCLES = 4,
};

void radio_sleep(void)
{
    for (unsigned loops = CLOCK_8M_HZ / 1000000 * START_US / LOOP_CYCLES; loops > 0; loops--) {
        __asm__ volatile("");
    }
    PORT_IOBUS[1].OUTSET = RST_B;
    PORT_IOBUS[1].DIRSET = SEL_B | MOSI_B | RST_B;
    PORT_IOBUS[2].DIRSET = SCK_C;
    for (uint32_t bits = COMMAND; bits != END; bits <<= 1) {
        if (bits & END) {
            PORT_IOBUS[1].OUTSET = MOSI_B;
        } else {
            PORT_IOBUS[1].OUTCLR = MOSI_B;
        }
        PORT_IOBUS[2].OUTSET = SCK_C;
        PORT_IOBUS[2].OUTCLR = SCK_C;
    }
    PORT_IOBUS[1].OUTSET = SEL_B;
    PORT_IOBUS[0].OUTSET = SLP_TR_A;
    PORT_IOBUS[0].DIRSET = SLP_TR_A;
}

void radio_clock_start_asleep(void)
{
    PORT_IOBUS[0].OUTCLR = SLP_TR_A;
}

void radio_clock_stop_asleep(void)
{
    PORT_IOBUS[0].OUTSET = SLP_TR_A;
}
