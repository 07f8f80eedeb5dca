// SPDX-License-Identifier: MIT OR Apache-2.0
//! Signals that enter and leave a chip, and its reports.

use crate::{Activity, BitTime, Time};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_isa::{Cycle, StackOverflow, Width};
use std::fmt;

/// A pin by port and bit: `PinId { port: 0, bit: 19 }` is PA19.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize,
)]
pub struct PinId {
    /// 0 is port A.
    pub port: u8,
    /// 0 to 31.
    pub bit: u8,
}

impl fmt::Display for PinId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}{:02}", (b'A' + self.port) as char, self.bit)
    }
}

impl std::str::FromStr for PinId {
    type Err = String;
    /// Reads `PA19`.
    fn from_str(text: &str) -> Result<PinId, String> {
        let wrong = || format!("`{text}` is not a pin; pins are written like PA19");
        let rest = text.strip_prefix('P').ok_or_else(wrong)?;
        let letter = rest.chars().next().filter(char::is_ascii_uppercase).ok_or_else(wrong)?;
        let bit = rest[1..].parse().ok().filter(|bit| *bit < 32).ok_or_else(wrong)?;
        Ok(PinId { port: letter as u8 - b'A', bit })
    }
}

/// Electrical state of a pin as the chip drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Level {
    /// Driven low.
    Low,
    /// Driven high.
    High,
    /// Not driven, with the pull named.
    Floating(Pull),
}

/// Pull resistor of a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Pull {
    /// None.
    None,
    /// To ground.
    Down,
    /// To the supply.
    Up,
}

/// One asynchronous serial character on a pin, from its start bit on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Frame {
    /// Data bits, least significant first on the wire.
    pub data: u16,
    /// 5 to 9.
    pub data_bits: u8,
    /// Parity bit as sent, if there is one.
    pub parity: Option<bool>,
    /// 1 or 2.
    pub stop_bits: u8,
    /// Length of one bit.
    pub bit_time: BitTime,
}

impl Frame {
    /// Length of the whole character, start and stop bits included.
    pub fn length(&self) -> Time {
        let bits = 1 + self.data_bits as u64 + self.parity.is_some() as u64 + self.stop_bits as u64;
        self.bit_time.bits(bits)
    }
}

/// One step of a clocked serial bus that a chip is master of, from its first clock edge on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Transfer {
    /// SPI exchanges a word.
    Spi(Word),
    /// I2C begins or continues a transaction.
    I2c(I2cStep),
}

/// A word on SPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Word {
    /// The word as seen by a receiver that takes the first bit as the most significant one.
    pub data: u16,
    /// 8 or 9.
    pub bits: u8,
    /// SPI mode 0 to 3: clock polarity times 2 plus clock phase.
    pub mode: u8,
    /// Length of one bit.
    pub bit_time: BitTime,
}

impl Word {
    /// Length of the whole word.
    pub fn length(&self) -> Time {
        self.bit_time.bits(u64::from(self.bits))
    }
}

/// A step on I2C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum I2cStep {
    /// A start or repeated start, and the address; the addressed device acknowledges.
    Start {
        /// 7 or 10 bits.
        address: u16,
        /// Whether the master wants to read.
        read: bool,
    },
    /// A byte from the master; the device acknowledges.
    Write(u8),
    /// The master wants a byte; the device sends it.
    Read,
    /// The master acknowledges the byte that it read, or does not.
    Acknowledge(bool),
    /// The transaction ends.
    Stop,
}

/// A device's answer to a [`Transfer`], before the step ends, or to an [`Output::Sample`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Reply {
    /// The word that comes in while one goes out, its first bit the most significant one.
    Word(u16),
    /// It acknowledges.
    Acknowledge,
    /// The byte that the master reads.
    Data(u8),
    /// The voltage that is sampled, in microvolts against ground.
    Voltage(u32),
}

/// What a chip does to the world, or reports about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// The drive of a pin has changed.
    Pin {
        /// The pin.
        pin: PinId,
        /// Its new state.
        level: Level,
    },
    /// A serial character begins on a pin.
    Frame {
        /// The pin.
        pin: PinId,
        /// The character.
        frame: Frame,
    },
    /// A step of a clocked serial bus begins, identified by the pin of the master's data output
    /// (SPI) or of the data line (I2C). Of an SPI slave, the pin is the slave's data output: this is what it
    /// sends while the word of an outside master ([`Input::Word`]) comes in.
    Transfer {
        /// The pin.
        pin: PinId,
        /// The step.
        transfer: Transfer,
    },
    /// An SPI slave, identified by the pin of its data input, begins to take the words of an outside master
    /// ([`Input::Word`]), or stops: it is on and selected.
    TakesWords {
        /// The pin.
        pin: PinId,
        /// Whether it does.
        takes: bool,
    },
    /// The analog converter of a chip samples the voltage of a pin: that which was last put there
    /// ([`Input::Voltage`]), unless a device answers ([`Reply::Voltage`]).
    Sample {
        /// The pin.
        pin: PinId,
    },
    /// The analog converter of a chip is about to use the chip's supply, which [`Input::Supply`] may tell now.
    SampleSupply,
    /// The processor sleeps.
    Sleep {
        /// Name in the data sheet, in lower case, such as `idle0` or `power-save`.
        mode: &'static str,
    },
    /// The processor wakes.
    Wake {
        /// Number of the exception that woke it (interrupts begin at [`Architecture::first_interrupt`]), or
        /// `None` for an event.
        ///
        /// [`Architecture::first_interrupt`]: lichen_isa::Architecture::first_interrupt
        exception: Option<u32>,
    },
    /// The chip was reset and starts again.
    Reset {
        /// `power-on`, `watchdog`, `system`, `external`, `brown-out`.
        cause: &'static str,
    },
    /// Another exception is active, or none: reported only if [`Core::watch_exceptions`] requests
    /// it. The chip is before the first instruction of the handler, or before the one returned to.
    ///
    /// [`Core::watch_exceptions`]: crate::Core::watch_exceptions
    Exception {
        /// Number of the exception, 0 for none.
        number: u32,
    },
    /// A component does something else: reported only if [`Chip::watch_activity`] requests it.
    ///
    /// [`Chip::watch_activity`]: crate::Chip::watch_activity
    Activity(Activity),
    /// The core takes a fault: registers are stacked, the handler's first instruction is next.
    Fault {
        /// Address of the instruction that faulted.
        pc: u32,
        /// What went wrong, in words.
        reason: &'static str,
    },
    /// The core locked up.
    Lockup {
        /// Address of the instruction that faulted last.
        pc: u32,
        /// What went wrong first, in words.
        reason: &'static str,
    },
    /// The stack pointer has left its stack: reported only if [`Core::guard_stacks`] requests it. The next instruction
    /// has not run.
    ///
    /// [`Core::guard_stacks`]: crate::Core::guard_stacks
    StackOverflow(StackOverflow),
    /// The firmware did something that the chip does not support. Each place warns once.
    Warning(Warning),
}

/// A wrong access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Address of the instruction.
    pub pc: u32,
    /// What it accessed.
    pub address: u32,
    /// How wide.
    pub width: Width,
    /// Value written, or `None` for a read.
    pub written: Option<u32>,
    /// Block that answers there, such as `SERCOM0`, or empty.
    pub block: &'static str,
    /// What is wrong with it.
    pub kind: WarningKind,
}

/// What is wrong with an access.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize,
)]
pub enum WarningKind {
    /// No device at this address: the access faults.
    Nothing,
    /// The block's bus clock is off.
    BusUnclocked,
    /// The block's generic clock is off or not running.
    CoreUnclocked,
    /// Reserved bits or a reserved value were written.
    Reserved,
    /// The register does not exist or cannot be accessed with this width.
    NoRegister,
    /// Written while write protection or an enable bit forbids it.
    Protected,
    /// Supported by the chip, not by this simulator.
    NotModelled,
    /// Behind the access the processor runs faster than flash can be read with its wait states.
    FlashTooSlow,
    /// Flash is read or executed while it is being programmed: what is read has no meaning.
    FlashBusy,
    /// The manual leaves open what the instruction does.
    Undefined,
    /// Neither memory nor a register at this address; the processor goes on.
    NoMemory,
    /// Flash is executed where it is erased.
    Erased,
    /// The stack is there, where no RAM is.
    Stack,
    /// An earlier write to the register has not arrived in another clock's domain yet.
    NotArrived,
    /// The chip falls asleep before what is to wake it is ready.
    AsleepTooSoon,
    /// A character that is not sent, since the transmitter is off, or its buffer full.
    NotSent,
    /// A store to the first addresses, where only a pointer to nothing leads.
    NullPointer,
    /// A load from there.
    NullPointerRead,
}

/// A report with the time at which it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamped<T> {
    /// Time of the world.
    pub time: Time,
    /// Processor clock edges so far.
    pub cycle: Cycle,
    /// What happened.
    pub what: T,
}

/// What the world does to a chip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Something outside drives a pin, or stops driving it (`Floating`).
    Pin {
        /// The pin.
        pin: PinId,
        /// Its level as driven from outside.
        level: Level,
    },
    /// A serial character begins on a pin now; the chip sees it end `frame.length()` later.
    Frame {
        /// The pin.
        pin: PinId,
        /// The character.
        frame: Frame,
    },
    /// A device answers the [`Transfer`] under way, on the master's data input (SPI) or on the data
    /// line (I2C), or the [`Output::Sample`] of a pin. Without an answer the master reads the level that
    /// holds the line and gets no acknowledge, and the converter takes the voltage of the last
    /// [`Input::Voltage`].
    Reply {
        /// The pin.
        pin: PinId,
        /// The answer.
        reply: Reply,
    },
    /// A master outside begins to clock a word into the SPI slave whose data input the pin is.
    Word {
        /// The pin.
        pin: PinId,
        /// The word.
        word: Word,
    },
    /// Something outside puts a voltage on a pin, for its analog input; a level ends it.
    Voltage {
        /// The pin.
        pin: PinId,
        /// In microvolts against ground.
        microvolts: u32,
    },
    /// Something outside drives a clock on a pin, from now on; a level ends it. A clock input takes it, and whoever reads
    /// the pin sees its level; its edges are seen by nobody else.
    Clock {
        /// The pin.
        pin: PinId,
        /// Its frequency; 0 while it stands.
        millihertz: u64,
    },
    /// The voltage of the supply, from now on. Until then it is the chip's nominal one.
    Supply {
        /// In microvolts.
        microvolts: u32,
    },
    /// The reset pin is pulled and released.
    Reset,
}

/// What a chip's supply must be, in microvolts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SupplyLimits {
    /// Below this the chip is off, and forgets everything.
    pub off_below: u32,
    /// It starts from this on.
    pub on_from: u32,
    /// Where its brown-out detector is on: below the first it acts, and it lets go from the second on.
    pub brown_out: Option<(u32, u32)>,
}

impl Input {
    /// The pin that it concerns, if it concerns one.
    pub fn pin(&self) -> Option<PinId> {
        match self {
            Input::Pin { pin, .. }
            | Input::Frame { pin, .. }
            | Input::Reply { pin, .. }
            | Input::Word { pin, .. }
            | Input::Voltage { pin, .. }
            | Input::Clock { pin, .. } => Some(*pin),
            Input::Supply { .. } | Input::Reset => None,
        }
    }
}
