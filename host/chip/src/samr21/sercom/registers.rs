// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registers of a serial interface as stored values, with the fields that its modes share.

use crate::samr21::peripheral::{Context, PadOutput, Signal};
use crate::samr21::register::{Choice, Register, array, choice, ones, ro, rw, up_to};
use crate::{Level, OFF};
use lichen_isa::Width;

/// The block's names for its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Id {
    CtrlA,
    CtrlB,
    Baud,
    RxPl,
    IntEnClr,
    IntEnSet,
    IntFlag,
    Status,
    SyncBusy,
    Addr,
    Data,
    DbgCtrl,
}

/// Operating modes (CTRLA.MODE).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    UsartExternal,
    UsartInternal,
    SpiSlave,
    SpiMaster,
    I2cSlave,
    I2cMaster,
    Reserved,
}

impl Mode {
    /// Its name among the states that determine a current.
    pub fn name(self) -> &'static str {
        match self {
            Mode::UsartExternal | Mode::UsartInternal => "usart",
            Mode::SpiSlave | Mode::SpiMaster => "spi",
            Mode::I2cSlave | Mode::I2cMaster => "i2c",
            Mode::Reserved => OFF,
        }
    }
}

pub(super) const SWRST: u32 = 1 << 0;
pub(super) const ENABLE: u32 = 1 << 1;
const RUNSTDBY: u32 = 1 << 7;

/// INTFLAG of USART and SPI: a character can be written, and read.
pub(super) const DRE: u8 = 1 << 0;
pub(super) const RXC: u8 = 1 << 2;
/// INTFLAG.ERROR, in every mode.
pub(super) const ERROR: u8 = 1 << 7;

/// What the firmware wrote and what the engine of the mode reports.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Registers {
    pub instance: u8,
    pub ctrla: u32,
    pub ctrlb: u32,
    pub baud: u32,
    pub rxpl: u8,
    pub addr: u32,
    pub dbgctrl: u8,
    pub enabled_interrupts: u8,
    /// Flags that stay set until they are cleared.
    pub flags: u8,
    pub status: u16,
}

impl Registers {
    /// Reset values.
    pub fn new(instance: u8) -> Registers {
        Registers {
            instance,
            ctrla: 0,
            ctrlb: 0,
            baud: 0,
            rxpl: 0,
            addr: 0,
            dbgctrl: 0,
            enabled_interrupts: 0,
            flags: 0,
            status: 0,
        }
    }

    /// The mode of an image of CTRLA.
    pub fn mode_of(ctrla: u32) -> Mode {
        match ctrla >> 2 & 7 {
            0 => Mode::UsartExternal,
            1 => Mode::UsartInternal,
            2 => Mode::SpiSlave,
            3 => Mode::SpiMaster,
            4 => Mode::I2cSlave,
            5 => Mode::I2cMaster,
            _ => Mode::Reserved,
        }
    }

    pub fn mode(&self) -> Mode {
        Registers::mode_of(self.ctrla)
    }

    pub fn is_enabled(&self) -> bool {
        self.ctrla & ENABLE != 0
    }

    pub fn runs_in_standby(&self) -> bool {
        self.ctrla & RUNSTDBY != 0
    }

    /// CTRLA.IBON: overflow is reported at once, not when it reaches the end of the buffer.
    pub fn overflow_at_once(&self) -> bool {
        self.ctrla >> 8 & 1 != 0
    }

    /// CTRLA.SAMPR.
    pub fn sample_rate(&self) -> u32 {
        self.ctrla >> 13 & 7
    }

    /// CTRLA.SAMPA.
    pub fn sample_adjustment(&self) -> u32 {
        self.ctrla >> 22 & 3
    }

    /// CTRLA.TXPO, or DOPO of an SPI.
    pub fn out_pinout(&self) -> u32 {
        self.ctrla >> 16 & 3
    }

    /// Pad of the data input: CTRLA.RXPO, or DIPO of an SPI.
    pub fn in_pad(&self) -> u8 {
        (self.ctrla >> 20 & 3) as u8
    }

    /// CTRLA.FORM.
    pub fn form(&self) -> u32 {
        self.ctrla >> 24 & 0xF
    }

    /// CTRLA.CMODE of a USART.
    pub fn is_synchronous(&self) -> bool {
        matches!(self.mode(), Mode::UsartExternal | Mode::UsartInternal)
            && self.ctrla >> 28 & 1 != 0
    }

    /// CTRLA.DORD.
    pub fn least_significant_first(&self) -> bool {
        self.ctrla >> 30 & 1 != 0
    }

    /// CTRLB.CHSIZE as a number of bits.
    pub fn character_bits(&self) -> u8 {
        match self.ctrlb & 7 {
            1 => 9,
            size @ 5..=7 => size as u8,
            _ => 8,
        }
    }

    /// CTRLB.RXEN of USART and SPI.
    pub fn receives(&self) -> bool {
        self.ctrlb >> 17 & 1 != 0
    }

    /// CTRLB.TXEN of a USART.
    pub fn transmits(&self) -> bool {
        self.ctrlb >> 16 & 1 != 0
    }
}

/// CTRLB of a USART: CHSIZE, COLDEN and ENC.
const USART_CTRLB: &[Choice] = &[
    choice(0, 3, 0xE3),
    choice(8, 1, up_to(1)).lacking(1 << 1),
    choice(10, 1, up_to(1)).lacking(1 << 1),
];
/// CTRLB.CHSIZE of an SPI.
const SPI_CTRLB: &[Choice] = &[choice(0, 3, up_to(1))];
/// ADDR.HS of an I2C master.
const I2C_ADDR: &[Choice] = &[choice(14, 1, up_to(1)).lacking(1 << 1)];

/// CTRLA.MODE.
const MODE: Choice = choice(2, 3, up_to(5));
/// CTRLA of a USART: SAMPR, TXPO, and FORM, of which 4 and 5 find their baud rate by themselves.
const USART_CTRLA: &[Choice] =
    &[MODE, choice(13, 3, up_to(4)), choice(16, 2, up_to(2)), choice(24, 4, 0x33).lacking(0x30)];
/// CTRLA.FORM of an SPI: 2 is a slave with an address.
const SPI_CTRLA: &[Choice] = &[MODE, choice(24, 4, 0x05).lacking(1 << 2)];
/// CTRLA of an I2C interface: PINOUT with four wires, SPEED of which 2 is high speed, SCLSM.
const I2C_CTRLA: &[Choice] = &[
    MODE,
    choice(16, 1, up_to(1)).lacking(1 << 1),
    choice(24, 2, up_to(2)).lacking(1 << 2),
    choice(27, 1, up_to(1)).lacking(1 << 1),
];

/// The registers of a mode with these bits in CTRLB and ADDR. A width of BAUD is given if there is
/// one; there is no ADDR without bits.
const fn table(
    data: Width,
    (ctrlb, choices): (u32, &'static [Choice]),
    baud: Option<Width>,
    (addr, addr_choices): (u32, &'static [Choice]),
) -> [Register<Id>; 12] {
    // Only the USART has a receive pulse length; elsewhere its place is unused or part of BAUD.
    let pulse_lengths = matches!(baud, Some(Width::Half)) as u32;
    // A slave has neither a baud rate nor, with I2C, something to stop for a debugger.
    let (bauds, baud) = match baud {
        Some(width) => (1, width),
        None => (0, Width::Byte),
    };
    [
        // Which bits of CTRLA exist depends on the mode in the same word.
        rw(Id::CtrlA, 0x00, Width::Word, u32::MAX),
        rw(Id::CtrlB, 0x04, Width::Word, ctrlb).choosing(choices),
        array(Id::Baud, 0x0C, baud, bauds, u32::MAX),
        array(Id::RxPl, 0x0E, Width::Byte, pulse_lengths, 0xFF),
        ones(Id::IntEnClr, 0x14, Width::Byte),
        ones(Id::IntEnSet, 0x16, Width::Byte),
        ones(Id::IntFlag, 0x18, Width::Byte),
        ones(Id::Status, 0x1A, Width::Half),
        ro(Id::SyncBusy, 0x1C, Width::Word),
        array(Id::Addr, 0x24, Width::Word, (addr != 0) as u32, addr).choosing(addr_choices),
        rw(Id::Data, 0x28, data, 0x1FF),
        array(Id::DbgCtrl, 0x30, Width::Byte, bauds, 0x01),
    ]
}

/// The registers in the mode that a reset leaves: firmware may write those of another mode before it
/// chooses that.
static UNCHOSEN: [Register<Id>; 12] =
    table(Width::Half, (0x0003_2747, &[]), Some(Width::Half), (u32::MAX, &[]));
static USART: [Register<Id>; 12] =
    table(Width::Half, (0x0003_2747, USART_CTRLB), Some(Width::Half), (0, &[]));
static SPI: [Register<Id>; 12] =
    table(Width::Word, (0x0002_E247, SPI_CTRLB), Some(Width::Byte), (0x00FF_00FF, &[]));
static I2C_MASTER: [Register<Id>; 12] =
    table(Width::Byte, (0x0007_0300, &[]), Some(Width::Word), (0x00FF_E7FF, I2C_ADDR));
static I2C_SLAVE: [Register<Id>; 12] =
    table(Width::Byte, (0x0007_C700, &[]), None, (0x07FE_87FF, &[]));

impl Mode {
    /// The registers as this mode has them.
    pub fn registers(self) -> &'static [Register<Id>] {
        match self {
            Mode::UsartExternal | Mode::Reserved => &UNCHOSEN,
            Mode::UsartInternal => &USART,
            Mode::SpiSlave | Mode::SpiMaster => &SPI,
            Mode::I2cSlave => &I2C_SLAVE,
            Mode::I2cMaster => &I2C_MASTER,
        }
    }

    /// Bits of CTRLA that exist.
    pub fn ctrla_mask(self) -> u32 {
        match self {
            Mode::UsartExternal | Mode::UsartInternal => 0x7FF3_E19F,
            Mode::SpiSlave | Mode::SpiMaster => 0x7F33_019F,
            Mode::I2cSlave => 0x4BB1_009F,
            Mode::I2cMaster => 0x7BF1_009F,
            Mode::Reserved => 0x0000_001F,
        }
    }

    /// Fields of CTRLA of which not every value may be chosen.
    pub fn ctrla_choices(self) -> &'static [Choice] {
        match self {
            Mode::UsartInternal => USART_CTRLA,
            Mode::SpiSlave | Mode::SpiMaster => SPI_CTRLA,
            Mode::I2cSlave | Mode::I2cMaster => I2C_CTRLA,
            Mode::UsartExternal | Mode::Reserved => &[MODE],
        }
    }

    /// Interrupts that exist.
    pub fn interrupts(self) -> u8 {
        match self {
            Mode::UsartExternal | Mode::UsartInternal => 0xBF,
            Mode::SpiSlave | Mode::SpiMaster => 0x8F,
            Mode::I2cSlave => 0x87,
            Mode::I2cMaster => 0x83,
            Mode::Reserved => 0,
        }
    }

    /// Bits of STATUS that are cleared by writing ones; the others show a state.
    pub fn errors(self) -> u16 {
        match self {
            // Not CTS.
            Mode::UsartExternal | Mode::UsartInternal => 0x0037,
            Mode::SpiSlave | Mode::SpiMaster => 0x0004,
            Mode::I2cSlave => 0x0243,
            Mode::I2cMaster => 0x0743,
            Mode::Reserved => 0,
        }
    }

    /// Bits of CTRLB that may be written while the interface is enabled.
    pub fn live_ctrlb(self) -> u32 {
        match self {
            Mode::UsartExternal | Mode::UsartInternal => 0x0003_0000,
            Mode::SpiSlave | Mode::SpiMaster => 0x0002_0000,
            _ => 0x0007_0000,
        }
    }
}

/// Drives a pad of the interface.
pub(super) fn drive(cx: &mut Context<'_>, registers: &Registers, pad: u8, level: Level) {
    let signal = Signal::Sercom { instance: registers.instance, pad };
    cx.out.pad(signal, PadOutput::Level(level));
}
