//! One thing that happened to one mote, as it goes to `--json`: schema in `doc/spec`.

use lichen_chip::Time;
use serde::Serialize;

/// One thing that happened to one mote.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Time of the world.
    pub time: Time,
    /// Processor clock edges of this mote so far.
    pub cycle: u64,
    /// Number of the mote, from 0.
    pub mote: u32,
    /// What happened.
    pub kind: Kind,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// One character on a serial port.
    Uart {
        /// Name of the port on the board.
        port: String,
        /// `out` from the mote, `in` to it.
        dir: &'static str,
        /// The character, 0 to 255.
        data: u8,
    },
    /// A pin with a name on the board changed.
    Gpio {
        /// Such as `PA19`.
        pin: String,
        /// Name on the board, such as `led0`.
        name: String,
        /// 0, 1, or null when it floats.
        level: Option<u8>,
    },
    /// The processor sleeps.
    Sleep {
        /// Name in the data sheet, in lower case.
        mode: &'static str,
    },
    /// The processor wakes.
    Wake {
        /// Name of the interrupt, or `event`.
        cause: String,
    },
    /// The chip starts (again).
    Reset {
        /// Why.
        cause: &'static str,
    },
    /// The firmware gave up and said so.
    Panic {
        /// Thread that failed, or `kernel`, `interrupt`.
        thread: String,
        /// Why.
        reason: String,
        /// Where.
        pc: u32,
        /// Function around `pc`.
        symbol: Option<String>,
        /// Source file.
        file: Option<String>,
        /// Line in it.
        line: Option<u32>,
    },
    /// The firmware did something that the chip does not support.
    Warning {
        /// In words.
        what: String,
        /// Instruction that did it.
        pc: u32,
        /// Function around `pc`.
        symbol: Option<String>,
    },
}
