// SPDX-License-Identifier: MIT OR Apache-2.0
//! On-chip peripherals and whole chips.
//!
//! A [`Chip`] is a core, its memories and its peripherals on one time line. It knows nothing of
//! what is soldered to its pins: signals leave as [`Output`]s and enter as [`Input`]s. Debuggers and
//! tools see its [`Core`].

mod activity;
pub mod atmega128;
mod bit_time;
pub mod clock;
mod config;
mod core;
mod dues;
mod line;
mod noise;
mod row;
pub mod samr21;
mod signal;
mod state;
pub mod time;
mod timeline;
mod wave;

pub use crate::core::{Core, Request, instruction};
pub use activity::{Activity, ComponentStates, OFF};
pub use bit_time::BitTime;
pub use config::{Config, Drift, Fuses, UnknownPart};
pub use lichen_isa::{StackOverflow, Stacks};
pub use noise::mix;
pub use signal::{
    Frame, I2cStep, Input, Level, Output, PinId, Pull, Reply, Stamped, SupplyLimits, Transfer,
    Warning, WarningKind, Word,
};
pub use state::{Program, Snapshot, StateError};
pub use time::{NoTime, Time};

use lichen_isa::Cycle;

/// Why [`Chip::run`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The requested time is reached.
    Reached,
    /// There are outputs to take ([`Chip::take_outputs`]); the chip is directly after the
    /// instruction or event that made them.
    Output,
    /// The next instruction has a breakpoint; it has not run.
    Breakpoint,
    /// The core is locked up; only a reset (watchdog, pin) ends that. Time passes nevertheless.
    Lockup,
}

/// A whole chip, as boards and worlds use it. Which one is chosen at run time, from data.
pub trait Chip: Send {
    /// Its core, for tools.
    fn core(&self) -> &dyn Core;

    /// Its core, for tools that change its state or let it execute single instructions.
    fn core_mut(&mut self) -> &mut dyn Core;

    /// Part number as on the package, such as `ATSAMR21G18A`.
    fn part(&self) -> &'static str;

    /// Flash and RAM, in this order; flash begins where the core looks for its vector table.
    fn memories(&self) -> &[MemoryInfo];

    /// Writes `bytes` at `address` of flash or RAM, as a programmer or a debug probe would: at any
    /// time, in no time.
    fn program(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutOfMemory>;

    /// What flash holds and the breakpoints in it, for [`Chip::share_flash`].
    fn flash(&mut self) -> Program;

    /// Takes what [`Chip::flash`] of a chip of the same part returned, without a copy; each chip has its
    /// own from its first write on.
    fn share_flash(&mut self, program: &Program) -> Result<(), StateError>;

    /// Applies power: every register takes its reset value, time continues.
    fn power_on(&mut self);

    /// What its supply must be, with its present settings.
    fn supply_limits(&self) -> SupplyLimits;

    /// Takes power away: pins are released, RAM and registers lose what they hold, time continues without
    /// anything happening. Flash keeps its contents; a page that is being written has them already.
    fn power_off(&mut self);

    /// Whether it has power.
    fn is_powered(&self) -> bool;

    /// Runs until `until`, or earlier for one of the reasons in [`Stop`].
    fn run(&mut self, until: Time) -> Stop;

    /// Returns what the chip did since the last call, in order of time.
    fn take_outputs(&mut self, into: &mut Vec<Stamped<Output>>);

    /// Applies a signal from outside, at the chip's present time.
    fn input(&mut self, input: Input);

    /// Present time.
    fn now(&self) -> Time;

    /// Edges of the processor's clock so far; the count stops when that clock does.
    fn cycle(&self) -> Cycle;

    /// Instructions executed so far.
    fn instructions(&self) -> u64;

    /// Time spent in sleep modes so far.
    fn time_asleep(&self) -> Time;

    /// The first moment at which the chip does something by itself; now, if it is executing.
    fn next_event(&self) -> Time;

    /// Until when nothing but its program and its inputs can change what it does: no peripheral has anything to do before.
    fn quiet_until(&self) -> Time;

    /// Frequency of the processor's clock in Hz, at present.
    fn processor_hz(&self) -> u64;

    /// The present value of the low-power timer, which runs in all sleep modes: the true value, without
    /// the delay of a synchronizer.
    fn low_power_timer(&self) -> u32;

    /// Numbers of the exceptions that this timer requests.
    fn low_power_timer_exceptions(&self) -> &'static [u32];

    /// Number of the exception that says only that this timer has begun anew, if it has one of its own.
    fn low_power_timer_wraps(&self) -> Option<u32> {
        None
    }

    /// Whether the exception with this number is requested by a timer, which the program must start.
    fn is_of_timer(&self, exception: u32) -> bool;

    /// Numbers of the exceptions that the hardware may still request: enabled where the request comes from, and where
    /// it arrives. Costs a copy of all peripherals.
    fn enabled_interrupts(&self) -> Vec<u32>;

    /// Reads memory without side effects; peripherals are not read.
    fn peek(&self, address: u32, into: &mut [u8]) -> Result<(), OutOfMemory>;

    /// Makes the chip report the present state of its components, and every change
    /// ([`Output::Activity`]); each costs a stop, and neither time nor execution changes.
    fn watch_activity(&mut self, on: bool);

    /// The whole state, to be restored later: a copy in memory, made in microseconds.
    fn snapshot(&self) -> Snapshot;

    /// Restores a state of this chip or of another one of the same part. What a debugger has set
    /// here stays: breakpoints, [`Core::watch_exceptions`], and [`Chip::watch_activity`], which reports what has
    /// changed with the state.
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), StateError>;

    /// The whole state as bytes, for a file. Outputs that were not taken are not part of it.
    fn save(&self) -> Vec<u8>;

    /// Restores a state that [`Chip::save`] of the same version made of a chip of the same part.
    /// The caller must detect corrupt bytes, by a checksum.
    fn load(&mut self, saved: &[u8]) -> Result<(), StateError>;

    /// A hash of the state that [`Chip::save`] saves: two runs with the same hash continue
    /// identically. The same on every machine.
    fn state_hash(&self) -> u64;
}

/// A plain memory of a chip. Addresses are linear, as ELF files and GDB use them
/// ([`lichen_isa::Architecture`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryInfo {
    /// `flash` or `RAM`.
    pub name: &'static str,
    /// First address.
    pub start: u32,
    /// Bytes.
    pub size: u32,
    /// Bytes that are erased together; 0 if nothing must be erased.
    pub row: u32,
}

/// A family of chips.
struct Family {
    /// Its part numbers.
    parts: fn() -> Vec<&'static str>,
    /// What the components of each can report.
    states: fn() -> Vec<ComponentStates>,
    /// Pins of one of its parts, by port.
    pins: fn(&str) -> Option<&'static [u32]>,
    /// Those that the converter of one of its parts reaches.
    analog_pins: fn(&str) -> Option<Vec<PinId>>,
    /// The chip with a part number, if it is one of them.
    by_part: fn(&str, &Config) -> Option<Box<dyn Chip>>,
}

/// All families.
static FAMILIES: [Family; 2] = [
    Family {
        parts: || samr21::part_names().collect(),
        states: samr21::component_states,
        pins: samr21::pins,
        analog_pins: samr21::analog_pins,
        by_part: |part, config| Some(Box::new(samr21::Samr21::by_part(part, config)?)),
    },
    Family {
        parts: || atmega128::part_names().collect(),
        states: atmega128::component_states,
        pins: atmega128::pins,
        analog_pins: atmega128::analog_pins,
        by_part: |part, config| Some(Box::new(atmega128::Atmega128::by_part(part, config)?)),
    },
];

/// The chip with the part number `part` (`ATSAMR21G18A`), as it is on a board described by
/// `config`. It is not powered yet.
pub fn by_part(part: &str, config: &Config) -> Result<Box<dyn Chip>, UnknownPart> {
    let known = || FAMILIES.iter().flat_map(|family| (family.parts)()).collect();
    let chip = FAMILIES.iter().find_map(|family| (family.by_part)(part, config));
    chip.ok_or_else(|| UnknownPart { part: part.to_string(), known: known() })
}

/// All that a chip with the part number `part` can report, apart from [`OFF`]; nothing for an unknown part.
pub fn component_states(part: &str) -> Vec<ComponentStates> {
    let family = FAMILIES.iter().find(|family| (family.parts)().contains(&part));
    family.map_or_else(Vec::new, |family| (family.states)())
}

/// Whether the package of the chip with the part number `part` has a pin; `None` for an unknown part.
pub fn has_pin(part: &str, pin: PinId) -> Option<bool> {
    let ports = FAMILIES.iter().find_map(|family| (family.pins)(part))?;
    let pins = ports.get(usize::from(pin.port)).copied().unwrap_or(0);
    Some(pins.checked_shr(pin.bit.into()).is_some_and(|pins| pins & 1 != 0))
}

/// The pins that the converter of the chip with the part number `part` reaches, in their order; `None` for an unknown part.
pub fn analog_pins(part: &str) -> Option<Vec<PinId>> {
    FAMILIES.iter().find_map(|family| (family.analog_pins)(part))
}

/// An address range that is not in flash or RAM.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("0x{address:08x}..0x{end:08x} is not in flash or RAM of the {part}")]
pub struct OutOfMemory {
    /// Start of the range.
    pub address: u32,
    /// First address after it.
    pub end: u64,
    /// The chip.
    pub part: &'static str,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_converter_reaches_some_pins_outside() {
        let names = |part| -> Vec<String> {
            analog_pins(part).expect("a part").iter().map(PinId::to_string).collect()
        };
        let small = ["PA06", "PA07", "PA08", "PA09", "PA10", "PA11"];
        assert_eq!(names("ATSAMR21E18A"), small);
        let large = [&["PA04", "PA05"], &small[..], &["PB02", "PB03"]].concat();
        assert_eq!(names("ATSAMR21G18A"), large);
        assert_eq!(names("atmega128").first().map(String::as_str), Some("PF00"));
        assert_eq!(names("ATmega128L").len(), 8);
        assert_eq!(analog_pins("Z80"), None);
    }
}
