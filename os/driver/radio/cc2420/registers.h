/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Registers, RAM and command strobes of the CC2420 (data sheet, "Configuration Registers"). Names
 * are the data sheet's. */
#ifndef CC2420_REGISTERS_H
#define CC2420_REGISTERS_H

/* Command strobes. */
enum {
    SNOP = 0x00,
    SXOSCON = 0x01,
    SRXON = 0x03,
    STXON = 0x04,
    STXONCCA = 0x05,
    SRFOFF = 0x06,
    SFLUSHRX = 0x08,
    SFLUSHTX = 0x09,
};

/* Addresses of registers, which have 16 bits, and what is added to read one. */
enum {
    MAIN = 0x10,
    MDMCTRL0 = 0x11,
    MDMCTRL1 = 0x12,
    RSSI = 0x13,
    TXCTRL = 0x15,
    RXCTRL1 = 0x17,
    FSCTRL = 0x18,
    SECCTRL0 = 0x19,
    IOCFG0 = 0x1c,
    IOCFG1 = 0x1d,
    MANFIDL = 0x1e,
    FSMSTATE = 0x2c,
    ADCTST = 0x2d,
    TXFIFO = 0x3e,
    RXFIFO = 0x3f,
    READ = 0x40,
};

/* RAM: an address has a first byte with this bit, and a second one with its bank and, to read, this
 * bit. */
enum {
    RAM = 0x80,
    RAM_READ = 0x20,
    RAM_BANK_Pos = 6,
    RAM_BANK_SHIFT = 7,
    RAM_SABUF = 0x120, /* of the cipher that stands alone, which is not used */
    RAM_IEEEADR = 0x160,
};

/* The status byte. */
enum {
    STATUS_XOSC16M_STABLE = 1 << 6,
    STATUS_TX_UNDERFLOW = 1 << 5,
    STATUS_RSSI_VALID = 1 << 1,
};

enum {
    MDMCTRL0_PAN_COORDINATOR = 1 << 12,
    MDMCTRL0_ADR_DECODE = 1 << 11,
    MDMCTRL0_CCA_HYST_2 = 2 << 8,
    MDMCTRL0_CCA_MODE_3 = 3 << 6, /* neither energy nor a frame */
    MDMCTRL0_AUTOCRC = 1 << 5,
    MDMCTRL0_AUTOACK = 1 << 4,
    MDMCTRL0_PREAMBLE_LENGTH_3 = 2, /* bytes of zeros before the SFD's own: 802.15.4 */

    MDMCTRL1_CORR_THR_20 = 20 << 6,

    RSSI_CCA_THR_Pos = 8,

    TXCTRL_PA_LEVEL_Msk = 0x1f,
    FSCTRL_LOCK_THR_1 = 1 << 14,
    IOCFG0_FIFOP_POLARITY = 1 << 9, /* active low */
    IOCFG0_FIFOP_THR_Msk = 0x7f,

    MANFIDL_CC2420 = 0x233d,
};

/* Values that the data sheet asks for, or the reset value where that is to be kept. */
#define TXCTRL_REST   0xa0e0u /* TX_TURNAROUND: 12 symbols */
#define RXCTRL1_BEST  0x2a56u /* RXBPF_LOCUR */
#define SECCTRL0_NONE 0x01c4u /* the RXFIFO is not protected */

/* FSMSTATE: numbers of states ("Radio control state machine"). */
enum {
    FSM_RX_CALIBRATE = 2,
    FSM_RX_LAST = 17, /* RX_OVERFLOW */
    FSM_TX_FIRST = 32,
    FSM_TX_LAST = 39,
    FSM_RX_CALIBRATE_AGAIN = 40,
    FSM_TX_ACK_FIRST = 48,
    FSM_TX_ACK_LAST = 54,
};

#endif
