// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of the radio that hold what was written, and interrupts (data sheet of the AT86RF233, "Register
//! Summary").

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::Level;

pub(super) const TRX_STATUS: u8 = 0x01;
pub(super) const TRX_STATE: u8 = 0x02;
pub(super) const TRX_CTRL_0: u8 = 0x03;
pub(super) const TRX_CTRL_1: u8 = 0x04;
pub(super) const PHY_TX_PWR: u8 = 0x05;
pub(super) const PHY_RSSI: u8 = 0x06;
pub(super) const PHY_ED_LEVEL: u8 = 0x07;
pub(super) const PHY_CC_CCA: u8 = 0x08;
pub(super) const CCA_THRES: u8 = 0x09;
pub(super) const SFD_VALUE: u8 = 0x0B;
pub(super) const TRX_CTRL_2: u8 = 0x0C;
const IRQ_MASK: u8 = 0x0E;
pub(super) const IRQ_STATUS: u8 = 0x0F;
pub(super) const VREG_CTRL: u8 = 0x10;
pub(super) const CC_CTRL_0: u8 = 0x13;
pub(super) const CC_CTRL_1: u8 = 0x14;
pub(super) const RX_SYN: u8 = 0x15;
pub(super) const TRX_RPC: u8 = 0x16;
pub(super) const XAH_CTRL_1: u8 = 0x17;
const FTN_CTRL: u8 = 0x18;
pub(super) const XAH_CTRL_2: u8 = 0x19;
const PLL_CF: u8 = 0x1A;
const PLL_DCU: u8 = 0x1B;
const PART_NUM: u8 = 0x1C;
const MAN_ID_1: u8 = 0x1F;
pub(super) const SHORT_ADDR_0: u8 = 0x20;
pub(super) const PAN_ID_0: u8 = 0x22;
pub(super) const IEEE_ADDR_0: u8 = 0x24;
pub(super) const XAH_CTRL_0: u8 = 0x2C;
pub(super) const CSMA_SEED_0: u8 = 0x2D;
pub(super) const CSMA_SEED_1: u8 = 0x2E;
pub(super) const CSMA_BE: u8 = 0x2F;
/// Addresses of registers have six bits.
const REGISTERS: usize = 0x40;

/// TRX_CTRL_0: the clock output, and whether a change of it waits for a sleep.
const CLKM_CTRL: u8 = 7;
const CLKM_SHA_SEL: u8 = 1 << 3;
/// PHY_CC_CCA: begins a measurement of the channel, and reads as 0.
pub(super) const CCA_REQUEST: u8 = 1 << 7;
/// TRX_CTRL_1.
const IRQ_POLARITY: u8 = 1 << 0;
const IRQ_MASK_MODE: u8 = 1 << 1;
/// IRQ_STATUS.
pub(super) const PLL_LOCK: u8 = 1 << 0;
pub(super) const RX_START: u8 = 1 << 2;
pub(super) const TRX_END: u8 = 1 << 3;
pub(super) const AWAKE_END: u8 = 1 << 4;
pub(super) const CCA_ED_DONE: u8 = 1 << 4;
pub(super) const AMI: u8 = 1 << 5;
pub(super) const TRX_UR: u8 = 1 << 6;
/// VREG_CTRL: the regulators' voltages are there.
pub(super) const DVDD_OK: u8 = 1 << 2;
pub(super) const AVDD_OK: u8 = 1 << 6;

/// Values after a reset; those of the others are 0.
const RESET: &[(u8, u8)] = &[
    (TRX_CTRL_0, 0x09),
    (TRX_CTRL_1, 0x22),
    (PHY_RSSI, 0x60),
    (PHY_ED_LEVEL, 0xFF),
    (PHY_CC_CCA, 0x2B),
    // CCA_THRES, RX_CTRL, SFD_VALUE, TRX_CTRL_2, ANT_DIV.
    (0x09, 0xC7),
    (0x0A, 0xB7),
    (0x0B, 0xA7),
    (0x0C, 0x20),
    (0x0D, 0x01),
    // BATMON, XOSC_CTRL, TRX_RPC.
    (0x11, 0x02),
    (0x12, 0xF0),
    (0x16, 0xC1),
    (FTN_CTRL, 0x58),
    (PLL_CF, 0x57),
    (PLL_DCU, 0x20),
    // PART_NUM, VERSION_NUM, MAN_ID_0.
    (PART_NUM, 0x0B),
    (0x1D, 0x02),
    (0x1E, 0x1F),
    // SHORT_ADDR, PAN_ID.
    (0x20, 0xFF),
    (0x21, 0xFF),
    (0x22, 0xFF),
    (0x23, 0xFF),
    // XAH_CTRL_0, CSMA_SEED, CSMA_BE.
    (0x2C, 0x38),
    (0x2D, 0xEA),
    (0x2E, 0x42),
    (0x2F, 0x53),
];

/// What the radio's registers hold.
#[derive(Clone, Debug, BorshSerialize, BorshDeserialize)]
pub(super) struct Registers {
    values: Vec<u8>,
    /// The clock output, which TRX_CTRL_0 may change later.
    clkm: u8,
}

impl Default for Registers {
    fn default() -> Registers {
        let mut values = vec![0; REGISTERS];
        RESET.iter().for_each(|(register, value)| values[usize::from(*register)] = *value);
        Registers { values, clkm: 1 }
    }
}

impl Registers {
    pub fn get(&self, register: u8) -> u8 {
        self.values[usize::from(register) % REGISTERS]
    }

    /// What hardware puts there.
    pub fn set(&mut self, register: u8, value: u8) {
        self.values[usize::from(register) % REGISTERS] = value;
    }

    /// The value of successive registers, the least significant first.
    pub fn number(&self, first: u8, bytes: u8) -> u64 {
        let register = |index| u64::from(self.get(first + index)) << (8 * index);
        (0..bytes).map(register).sum()
    }

    /// A program reads. The interrupts are read once.
    pub fn read(&mut self, register: u8) -> u8 {
        let value = self.get(register);
        if register == IRQ_STATUS {
            self.set(IRQ_STATUS, 0);
        }
        value
    }

    /// A program writes. Bits that start a calibration read as 0 when it is over, which is at once here.
    pub fn write(&mut self, register: u8, value: u8) {
        match register {
            TRX_STATUS | PHY_RSSI | PHY_ED_LEVEL | IRQ_STATUS | XAH_CTRL_2 => return,
            PART_NUM..=MAN_ID_1 => return,
            PHY_CC_CCA => self.set(register, value & !CCA_REQUEST),
            FTN_CTRL | PLL_CF | PLL_DCU => self.set(register, value & 0x7F),
            _ => self.set(register, value),
        }
        if register == TRX_CTRL_0 && value & CLKM_SHA_SEL == 0 {
            self.clkm = value & CLKM_CTRL;
        }
    }

    /// It leaves its sleep: a change of the clock output takes effect.
    pub fn wake(&mut self) {
        self.clkm = self.get(TRX_CTRL_0) & CLKM_CTRL;
    }

    /// The frequency of its clock output, in Hz, where its crystal oscillates; 0 if it is off.
    pub fn clkm_hz(&self) -> u64 {
        match self.clkm {
            0 => 0,
            6 => 250_000,
            7 => 62_500,
            select => 500_000 << select,
        }
    }

    /// Something happens that may interrupt.
    pub fn raise(&mut self, interrupts: u8) {
        let polls = self.get(TRX_CTRL_1) & IRQ_MASK_MODE != 0;
        let seen = if polls { interrupts } else { interrupts & self.get(IRQ_MASK) };
        self.set(IRQ_STATUS, self.get(IRQ_STATUS) | seen);
    }

    /// The level of its interrupt request.
    pub fn irq(&self) -> Level {
        let requests = self.get(IRQ_STATUS) & self.get(IRQ_MASK) != 0;
        let is_active_low = self.get(TRX_CTRL_1) & IRQ_POLARITY != 0;
        if requests != is_active_low { Level::High } else { Level::Low }
    }
}
