/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The AT86RF233's registers, as its data sheet names them ("Register Summary"). */
#ifndef AT86RF233_REGISTERS_H
#define AT86RF233_REGISTERS_H

/* First bytes of an access ("SPI Protocol"); that of a register has its address, too. */
enum {
    READ_REGISTER = 0x80,
    WRITE_REGISTER = 0xc0,
    READ_FRAME = 0x20,
    WRITE_FRAME = 0x60,
};

enum {
    TRX_STATUS = 0x01,
    TRX_STATE = 0x02,
    TRX_CTRL_1 = 0x04,
    PHY_TX_PWR = 0x05,
    PHY_RSSI = 0x06,
    PHY_ED_LEVEL = 0x07,
    PHY_CC_CCA = 0x08,
    TRX_CTRL_2 = 0x0c,
    IRQ_MASK = 0x0e,
    IRQ_STATUS = 0x0f,
    RX_SYN = 0x15,
    TRX_RPC = 0x16,
    XAH_CTRL_2 = 0x19,
    PART_NUM = 0x1c,
    SHORT_ADDR_0 = 0x20,
    SHORT_ADDR_1 = 0x21,
    PAN_ID_0 = 0x22,
    PAN_ID_1 = 0x23,
    IEEE_ADDR_0 = 0x24,
    XAH_CTRL_0 = 0x2c,
    CSMA_SEED_0 = 0x2d,
    CSMA_SEED_1 = 0x2e,
    CSMA_BE = 0x2f,
};

/* States, as TRX_STATUS tells them, and commands in TRX_STATE that lead to them. */
enum {
    BUSY_RX = 0x01,
    RX_ON = 0x06,
    TRX_OFF = 0x08,
    PLL_ON = 0x09,
    PREP_DEEP_SLEEP = 0x10,
    BUSY_RX_AACK = 0x11,
    RX_AACK_ON = 0x16,
    TX_ARET_ON = 0x19,
    STATE_TRANSITION_IN_PROGRESS = 0x1f,
    TRX_STATUS_Msk = 0x1f,
    FORCE_TRX_OFF = 0x03, /* commands only */
    FORCE_PLL_ON = 0x04,
};

/* Fields. */
enum {
    TRX_STATE_TRAC_STATUS_Pos = 5,
    TRAC_SUCCESS = 0,
    TRAC_SUCCESS_DATA_PENDING = 1,
    TRAC_CHANNEL_ACCESS_FAILURE = 3,
    TRAC_NO_ACK = 5,

    TRX_CTRL_1_SPI_CMD_MODE_STATUS = 1 << 2, /* each access begins with TRX_STATUS */
    TRX_CTRL_1_TX_AUTO_CRC_ON = 1 << 5,
    PHY_RSSI_RND_VALUE_Pos = 5,
    PHY_RSSI_RND_VALUE_BITS = 2,
    PHY_RSSI_RND_VALUE_Msk = 3,
    PHY_CC_CCA_CCA_MODE_ENERGY = 1 << 5,
    TRX_CTRL_2_OQPSK_SCRAM_EN = 1 << 5,
    TRX_CTRL_2_RX_SAFE_MODE = 1 << 7,
    RX_SYN_RX_PDT_DIS = 1 << 7,
    XAH_CTRL_0_MAX_CSMA_RETRIES_Pos = 1,
    XAH_CTRL_0_WITHOUT_CSMA = 7,
    XAH_CTRL_0_MAX_FRAME_RETRIES_Pos = 4,
    XAH_CTRL_2_ARET_FRAME_RETRIES_Pos = 4,
    CSMA_SEED_1_Msk = 7,
    CSMA_SEED_1_AACK_I_AM_COORD = 1 << 3,
    CSMA_SEED_1_AACK_DIS_ACK = 1 << 4,
    CSMA_SEED_1_AACK_SET_PD = 1 << 5,
    CSMA_SEED_1_AACK_FVN_MODE_Pos = 6,
    CSMA_BE_MAX_BE_Pos = 4,
};

/* Interrupts. */
enum {
    IRQ_TRX_END = 1 << 3,
    IRQ_CCA_ED_DONE = 1 << 4,
    IRQ_TRX_UR = 1 << 6,
};

/* What follows a received frame in the frame buffer: RX_STATUS. */
enum {
    RX_CRC_VALID = 1 << 7,
};

/* PHY_ED_LEVEL, in dB above -94 dBm; and the most with which the channel is clear, by the reset
 * value of CCA_THRES. */
enum {
    ED_BASE_DBM = -94,
    ED_MOST = 84,
    ED_CLEAR = 14,
};

/* PART_NUM */
enum {
    AT86RF233 = 0x0b,
};

#endif
