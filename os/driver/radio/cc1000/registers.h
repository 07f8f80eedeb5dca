/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The CC1000's registers, as its data sheet names them ("Configuration registers"). */
#ifndef CC1000_REGISTERS_H
#define CC1000_REGISTERS_H

enum {
    MAIN = 0x00,
    FREQ_2A = 0x01,
    FREQ_2B = 0x04,
    FSEP1 = 0x07,
    FSEP0 = 0x08,
    CURRENT = 0x09,
    FRONT_END = 0x0a,
    PA_POW = 0x0b,
    PLL = 0x0c,
    LOCK = 0x0d,
    CAL = 0x0e,
    MODEM2 = 0x0f,
    MODEM1 = 0x10,
    MODEM0 = 0x11,
    MATCH = 0x12,
    FSCTRL = 0x13,
    TEST4 = 0x42,
};

/* MAIN. */
enum {
    MAIN_RXTX = 1 << 7,
    MAIN_F_REG = 1 << 6,
    MAIN_RX_PD = 1 << 5,
    MAIN_TX_PD = 1 << 4,
    MAIN_FS_PD = 1 << 3,
    MAIN_CORE_PD = 1 << 2,
    MAIN_BIAS_PD = 1 << 1,
    MAIN_RESET_N = 1 << 0,

    MAIN_OFF = MAIN_RX_PD | MAIN_TX_PD | MAIN_FS_PD | MAIN_CORE_PD | MAIN_BIAS_PD | MAIN_RESET_N,
    MAIN_RESET = MAIN_RX_PD | MAIN_TX_PD | MAIN_FS_PD | MAIN_BIAS_PD,
    MAIN_CRYSTAL = MAIN_RESET | MAIN_RESET_N,
    MAIN_BIAS = MAIN_CRYSTAL & ~MAIN_BIAS_PD,
    MAIN_RECEIVE = MAIN_TX_PD | MAIN_RESET_N,
    MAIN_TRANSMIT = MAIN_RXTX | MAIN_F_REG | MAIN_RX_PD | MAIN_RESET_N,
};

/* Other fields. */
enum {
    LOCK_CONTINUOUS = 1 << 0,

    CAL_START = 1 << 7,
    CAL_WAIT = 1 << 5,
    CAL_COMPLETE = 1 << 3,
    CAL_ITERATE_NORMAL = 6,

    MODEM1_MLIMIT_Pos = 5,
    MODEM1_LOCK_AVG_MODE = 1 << 3,
    MODEM1_SETTLING_Pos = 1,
    MODEM1_MODEM_RESET_N = 1 << 0,

    MODEM0_BAUDRATE_Pos = 4,
    MODEM0_DATA_FORMAT_MANCHESTER = 1 << 2,
    MODEM0_XOSC_FREQ_7_MHZ = 1,

    FSCTRL_FS_RESET_N = 1 << 0,

    TEST4_L2KIO_3F = 0x3f, /* what the data sheet asks for at more than 19.2 kBaud */
};

#endif
