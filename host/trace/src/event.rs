// SPDX-License-Identifier: MIT OR Apache-2.0
//! One event of one mote, as written by `--json`: schema in `doc/spec`.

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{PinId, Time};
use serde::{Serialize, Serializer};
use std::borrow::Cow;
use std::sync::Arc;

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

/// What happened. Names that come with many events are shared, not copied.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// One character on a serial port, as the peer sees it: `out` when its last bit has arrived,
    /// `in` when its first bit is sent.
    Uart {
        /// Name of the port on the board; `rtt` for a buffer that a debug probe reads; a pin such as
        /// `PB22` that sends where the board has no port.
        port: Arc<str>,
        /// `out` from the mote, `in` to it.
        dir: &'static str,
        /// The character, 0 to 255.
        data: u8,
    },
    /// A pin with a name on the board changed, or one that the board leaves to the program.
    Gpio {
        /// Such as `PA19`.
        #[serde(serialize_with = "displayed")]
        pin: PinId,
        /// Name on the board, such as `led0`; of a pin that nothing on the board is at, what the program calls it, or
        /// the chip.
        name: Arc<str>,
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
        cause: &'static str,
    },
    /// The chip starts (again).
    Reset {
        /// Why.
        cause: &'static str,
    },
    /// The supply failed, or came back.
    Power {
        /// Whether the mote is powered from now on.
        on: bool,
    },
    /// A part on the board failed, or works again.
    Condition {
        /// Name of the part on the board.
        device: String,
        /// `works`, `absent`, `stuck`, `wrong` or `shorted`.
        condition: String,
    },
    /// The host at the other end of the console's line has done something with the mote's programs.
    Host {
        /// In words.
        what: String,
    },
    /// A radio has sent a frame.
    Sent {
        /// The frame.
        #[serde(flatten)]
        frame: Frame,
    },
    /// A radio that listened has heard a frame.
    Heard {
        /// Number of the mote that sent it.
        sender: u32,
        /// The quality of its signal, as the radio tells it.
        lqi: u8,
        /// `received`, `corrupted`, `filtered`, `overflowed` or `abandoned`.
        fate: &'static str,
        /// Whether it arrived to its end as it was sent, be it for another mote.
        whole: bool,
        /// The frame, as it has arrived.
        #[serde(flatten)]
        frame: Frame,
    },
    /// The firmware panicked and reported it.
    Panic {
        /// Thread that failed, or `kernel`, `interrupt`.
        thread: String,
        /// Why.
        reason: String,
        /// Where.
        #[serde(flatten)]
        place: Place,
        /// The line of the program that called the system there, if that is known.
        #[serde(skip_serializing_if = "Option::is_none")]
        caller: Option<Place>,
    },
    /// The core took a fault, or locked up.
    Fault {
        /// What the processor's manual calls a fault, such as `HardFault`.
        #[serde(skip)]
        name: &'static str,
        /// What went wrong, in words.
        reason: String,
        /// Whether the core is locked up until a reset.
        locked_up: bool,
        /// Where.
        #[serde(flatten)]
        place: Place,
        /// The registers that the core stacked, if it could.
        registers: Option<Registers>,
    },
    /// The firmware did something that the chip or the board does not support.
    Warning {
        /// In words.
        what: String,
        /// Instruction that did it; all null if the warning is the board's.
        #[serde(flatten)]
        place: Place,
    },
    /// Another exception is active: a detail.
    #[serde(skip)]
    Exception {
        /// Its name, such as `RTC`; none when the last one has ended.
        name: Option<&'static str>,
    },
    /// Another thread runs: a detail.
    #[serde(skip)]
    Thread {
        /// Its name in the source.
        name: String,
    },
    /// A component does something else, which determines the current that it draws: a detail.
    #[serde(skip)]
    Activity {
        /// Where the table of currents is found: the chip's part number, or the name of a device's part.
        part: &'static str,
        /// Name in the data sheet, or that of the device on the board.
        component: Cow<'static, str>,
        /// Its state, as the table names it.
        state: &'static str,
        /// Frequency of its clock in Hz, 0 if it has none.
        hz: u64,
        /// Frequency of its bus clock in Hz, 0 if it has none.
        bus_hz: u64,
    },
    /// The processor falls asleep, wakes, is reset, or loses its supply, as accounts need it: a detail.
    #[serde(skip)]
    Processor {
        /// What it does from now on.
        does: Processor,
        /// Whether it has just begun to; not where reports begin in the middle of a run.
        begins: bool,
    },
    /// A component draws another current, as the tables of currents say: a detail, which no mote reports,
    /// but the crate `energy` adds.
    #[serde(skip)]
    Current {
        /// The component.
        component: Cow<'static, str>,
        /// What it draws, in femtoamperes; none if no table knows.
        fa: Option<u128>,
        /// What the whole mote draws, in femtoamperes.
        whole_fa: u128,
    },
    /// A transmission begins to arrive at the mote's antenna: a detail.
    #[serde(skip)]
    Arrives {
        /// Number of the mote that sends it; [`INTERFERENCE`] or more, if it is no mote's.
        sender: u32,
        /// Centre of its channel, in kHz.
        khz: u32,
        /// Power at which it arrives.
        dbm: f64,
        /// When it ends; [`Time::NEVER`] if that is not known yet.
        end: Time,
        /// What it meets.
        meets: Meets,
    },
    /// The chip changes what it drives on a named pin that no device reports: a detail.
    #[serde(skip)]
    Pin {
        /// Name on the board, such as `radio_select`.
        name: Arc<str>,
        /// 0, 1, or none when it floats.
        level: Option<u8>,
    },
}

fn displayed<S: Serializer>(value: &PinId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

impl Kind {
    /// Whether only waveforms and accounts show it. Details are reported on request, and are not in files of
    /// events, which are the same with or without the request.
    pub fn is_detail(&self) -> bool {
        matches!(
            self,
            Kind::Exception { .. }
                | Kind::Thread { .. }
                | Kind::Pin { .. }
                | Kind::Activity { .. }
                | Kind::Processor { .. }
                | Kind::Current { .. }
                | Kind::Arrives { .. }
        )
    }
}

/// From this number on, senders are no motes.
pub const INTERFERENCE: u32 = 1 << 31;

/// What a transmission meets where it begins to arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Meets {
    /// A radio that listens, and could hear it.
    Listens,
    /// One that listens to another frame.
    Busy,
    /// One that cannot synchronize with a signal as weak as this.
    TooWeak,
    /// One that listens in another channel, or to another kind of signal.
    Elsewhere,
    /// One that sends, or is about to, and hears nothing meanwhile.
    Sends,
    /// One that neither listens nor sends.
    Deaf,
    /// Nothing: it fades wholly on its way, as the quality of the link says.
    Faded,
}

/// A frame of a radio.
#[derive(Clone, Debug, PartialEq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Frame {
    /// When its start of frame has ended.
    #[serde(rename = "start_us", serialize_with = "microseconds")]
    pub start: Time,
    /// Centre of its channel, in kHz.
    pub khz: u32,
    /// Rate of its payload, in bit/s.
    pub bps: u32,
    /// Power at which it was sent, or has arrived.
    pub dbm: f64,
    /// Its bytes, with the checksum; in hexadecimal digits in JSON.
    #[serde(serialize_with = "hexadecimal")]
    pub bytes: Vec<u8>,
}

fn microseconds<S: Serializer>(time: &Time, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.ns() as f64 / 1_000.0)
}

fn hexadecimal<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    serializer.serialize_str(&digits)
}

/// What a processor does between two wake-ups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub enum Processor {
    /// It has no supply.
    #[default]
    Off,
    /// It executes, or could.
    Awake {
        /// Name of the interrupt that woke it, `event`, or `reset:` and the cause of its reset.
        cause: Cow<'static, str>,
    },
    /// It sleeps.
    Asleep {
        /// Name of the mode in the data sheet, in lower case.
        mode: Cow<'static, str>,
        /// The limits of drivers that forbid a deeper mode, by name; none if the image has no such limits, or none
        /// is in force.
        limits: Option<Arc<str>>,
    },
}

/// When something behind a pin is on, such as an LED or a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct On {
    /// The level at which it is.
    pub level: u8,
    /// What it is then, such as `pressed`.
    pub word: &'static str,
}

impl On {
    /// What is shown of a pin that is neither an LED nor a button.
    pub const HIGH: On = On { level: 1, word: "high" };
}

/// A place in the firmware.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, BorshSerialize, BorshDeserialize)]
pub struct Place {
    /// Address of the instruction.
    pub pc: Option<u32>,
    /// Function around it and offset, such as `main+0x12`; where the instruction is of a function of another file that has
    /// become part of that one, `led_toggle in main+0x12`.
    pub symbol: Option<String>,
    /// Source file.
    pub file: Option<String>,
    /// Line in it, from 1.
    pub line: Option<u32>,
}

impl Place {
    /// Name of the function.
    pub fn function(&self) -> Option<&str> {
        self.symbol.as_deref()?.split([' ', '+']).next()
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(pc) = self.pc else { return f.write_str("the board") };
        write!(f, "0x{pc:08x}")?;
        if let Some(symbol) = &self.symbol {
            write!(f, " in {symbol}")?;
        }
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, " at {file}:{line}"),
            _ => Ok(()),
        }
    }
}

/// The registers that an exception has saved, by their names, in the order in which the core saves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers(pub Vec<(&'static str, u32)>);

impl Serialize for Registers {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
