// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of the radio, of 16 bits each (data sheet of the CC2420, "Configuration Registers").

use borsh::{BorshDeserialize, BorshSerialize};

pub(super) const MAIN: u8 = 0x10;
pub(super) const MDMCTRL0: u8 = 0x11;
pub(super) const MDMCTRL1: u8 = 0x12;
pub(super) const RSSI: u8 = 0x13;
pub(super) const SYNCWORD: u8 = 0x14;
pub(super) const TXCTRL: u8 = 0x15;
pub(super) const FSCTRL: u8 = 0x18;
pub(super) const SECCTRL0: u8 = 0x19;
pub(super) const SECCTRL1: u8 = 0x1A;
pub(super) const BATTMON: u8 = 0x1B;
pub(super) const IOCFG0: u8 = 0x1C;
pub(super) const IOCFG1: u8 = 0x1D;
const MANFIDL: u8 = 0x1E;
const MANFIDH: u8 = 0x1F;
pub(super) const FSMSTATE: u8 = 0x2C;
/// What the receiver's converters give: I in bits 8 to 14, Q in bits 0 to 6.
pub(super) const ADCTST: u8 = 0x2D;
/// The last register before those of the FIFOs.
const LAST: u8 = 0x30;
/// Addresses of registers have six bits.
const REGISTERS: usize = 0x40;

/// A field of a register: its lowest bit and how many it has.
#[derive(Clone, Copy)]
pub(super) struct Field(pub u8, pub u8, pub u8);

/// MAIN. The other bits from 11 to 14 reset parts of the radio.
pub(super) const RESETN: Field = Field(MAIN, 15, 1);
pub(super) const PARTS_RESETN: Field = Field(MAIN, 11, 4);
pub(super) const XOSC16M_BYPASS: Field = Field(MAIN, 0, 1);
/// MDMCTRL0.
pub(super) const RESERVED_FRAME_MODE: Field = Field(MDMCTRL0, 13, 1);
pub(super) const PAN_COORDINATOR: Field = Field(MDMCTRL0, 12, 1);
pub(super) const ADR_DECODE: Field = Field(MDMCTRL0, 11, 1);
pub(super) const CCA_HYST: Field = Field(MDMCTRL0, 8, 3);
pub(super) const CCA_MODE: Field = Field(MDMCTRL0, 6, 2);
pub(super) const AUTOCRC: Field = Field(MDMCTRL0, 5, 1);
pub(super) const AUTOACK: Field = Field(MDMCTRL0, 4, 1);
pub(super) const PREAMBLE_LENGTH: Field = Field(MDMCTRL0, 0, 4);
/// MDMCTRL1: the modulation and the modes of test.
pub(super) const TESTS: Field = Field(MDMCTRL1, 0, 5);
/// RSSI.
pub(super) const CCA_THR: Field = Field(RSSI, 8, 8);
/// TXCTRL.
pub(super) const TX_TURNAROUND: Field = Field(TXCTRL, 13, 1);
pub(super) const PA_LEVEL: Field = Field(TXCTRL, 0, 5);
/// FSCTRL.
pub(super) const FREQ: Field = Field(FSCTRL, 0, 10);
pub(super) const CAL_DONE: u16 = 1 << 13;
pub(super) const CAL_RUNNING: u16 = 1 << 12;
pub(super) const LOCK_STATUS: u16 = 1 << 10;
/// SECCTRL0.
pub(super) const RXFIFO_PROTECTION: Field = Field(SECCTRL0, 9, 1);
pub(super) const SEC_CBC_HEAD: Field = Field(SECCTRL0, 8, 1);
pub(super) const SEC_SAKEYSEL: Field = Field(SECCTRL0, 7, 1);
pub(super) const SEC_TXKEYSEL: Field = Field(SECCTRL0, 6, 1);
pub(super) const SEC_RXKEYSEL: Field = Field(SECCTRL0, 5, 1);
pub(super) const SEC_M: Field = Field(SECCTRL0, 2, 3);
pub(super) const SEC_MODE: Field = Field(SECCTRL0, 0, 2);
/// SECCTRL1.
pub(super) const SEC_TXL: Field = Field(SECCTRL1, 8, 7);
pub(super) const SEC_RXL: Field = Field(SECCTRL1, 0, 7);
/// BATTMON.
pub(super) const BATTMON_OK: u16 = 1 << 6;
pub(super) const BATTMON_EN: Field = Field(BATTMON, 5, 1);
pub(super) const BATTMON_VOLTAGE: Field = Field(BATTMON, 0, 5);
/// IOCFG0.
pub(super) const BCN_ACCEPT: Field = Field(IOCFG0, 11, 1);
pub(super) const FIFO_POLARITY: Field = Field(IOCFG0, 10, 1);
pub(super) const FIFOP_POLARITY: Field = Field(IOCFG0, 9, 1);
pub(super) const SFD_POLARITY: Field = Field(IOCFG0, 8, 1);
pub(super) const CCA_POLARITY: Field = Field(IOCFG0, 7, 1);
pub(super) const FIFOP_THR: Field = Field(IOCFG0, 0, 7);
/// IOCFG1.
pub(super) const SFDMUX: Field = Field(IOCFG1, 5, 5);
pub(super) const CCAMUX: Field = Field(IOCFG1, 0, 5);

/// Values after a reset; those of the others are 0.
const RESET: &[(u8, u16)] = &[
    (MAIN, 0xF800),
    (MDMCTRL0, 0x0AE2),
    (MDMCTRL1, 0x0500),
    (RSSI, 0xE080),
    (SYNCWORD, 0xA70F),
    (TXCTRL, 0xA0FF),
    // RXCTRL0, RXCTRL1.
    (0x16, 0x12E5),
    (0x17, 0x0A56),
    (FSCTRL, 0x4165),
    (SECCTRL0, 0x03C4),
    (IOCFG0, 0x0040),
    (MANFIDL, 0x233D),
    (MANFIDH, 0x3000),
    // FSMTC, MANAND.
    (0x20, 0x7A94),
    (0x21, 0xFFFF),
    // AGCCTRL, AGCTST0, AGCTST1, AGCTST2.
    (0x23, 0x07F0),
    (0x24, 0x3649),
    (0x25, 0x0854),
    (0x26, 0x012A),
    // FSTST0, FSTST1, FSTST2, FSTST3.
    (0x27, 0x0200),
    (0x28, 0x1002),
    (0x29, 0x0600),
    (0x2A, 0x82DD),
    // TOPTST.
    (0x2F, 0x0010),
];

/// What the registers hold.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Registers(Vec<u16>);

impl Default for Registers {
    fn default() -> Registers {
        let mut values = vec![0; REGISTERS];
        RESET.iter().for_each(|(register, value)| values[usize::from(*register)] = *value);
        Registers(values)
    }
}

impl Registers {
    pub fn get(&self, register: u8) -> u16 {
        self.0[usize::from(register) % REGISTERS]
    }

    pub fn field(&self, Field(register, low, width): Field) -> u16 {
        self.get(register) >> low & ((1 << width) - 1)
    }

    pub fn is_set(&self, field: Field) -> bool {
        self.field(field) != 0
    }

    /// A program writes. Bits that only the radio sets stay as they are.
    pub fn write(&mut self, register: u8, value: u16) {
        let fixed = match register {
            MAIN..MANFIDL => match register {
                RSSI => 0x00FF,
                FSCTRL => CAL_DONE | CAL_RUNNING | LOCK_STATUS,
                BATTMON => BATTMON_OK,
                _ => 0,
            },
            FSMSTATE => return,
            0x20..=LAST => 0,
            _ => return,
        };
        let place = &mut self.0[usize::from(register) % REGISTERS];
        *place = *place & fixed | value & !fixed;
    }

    /// The centre of the channel, in kHz.
    pub fn frequency_khz(&self) -> u32 {
        (2_048 + u32::from(self.field(FREQ))) * 1_000
    }
}
