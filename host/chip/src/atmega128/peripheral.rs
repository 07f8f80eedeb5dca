// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks in the I/O space, and the effects that they may have while they are served.
//!
//! A block holds its registers and nothing else. It learns about the rest of the chip through
//! [`Context`], and acts on the rest through [`Effects`]. The chip serves blocks in the order of time,
//! and at equal times in the order of a fixed index, and applies their effects in the order in which
//! they were made, so that runs repeat.
//!
//! Most blocks work with the I/O clock, whose edges are the cycles of the processor: both run or stand
//! together, except that only the processor halts in Idle. So they count cycles, and need no notice when
//! that clock changes or stops. The few that go on without it say when they are due as a time.

use super::clocks::Clocks;
use super::pins::Signal;
use crate::{Frame, Level, OFF, PinId, Reply, Time, Transfer, WarningKind, Word};
use borsh::{BorshDeserialize, BorshSerialize};
use std::collections::VecDeque;

/// When a block next does something by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// Nothing is under way.
    Never,
    /// At this edge of the I/O clock.
    Cycle(u64),
    /// At this time, whether the I/O clock runs or not.
    Time(Time),
}

/// Until when a register reads the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Nothing is known, or reading changes something.
    Unknown,
    /// Until the block is due or something is written.
    UntilDue,
    /// Until this edge of the I/O clock.
    Cycle(u64),
    /// Until this time.
    Time(Time),
}

/// A block. Registers are named by their data addresses ([`super::map`]).
pub(crate) trait Peripheral {
    /// Answers a read. Side effects happen here. Of a register that several blocks share, each returns
    /// its own bits.
    fn read(&mut self, cx: &mut Context<'_>, register: u8) -> u8;

    /// Until when a read of `register` returns the same and changes nothing, as long as nothing is
    /// written and nothing arrives from outside the block. The chip asks after a read, in order to skip
    /// polling loops.
    fn holds(&self, _cx: &Context<'_>, _register: u8) -> Holds {
        Holds::Unknown
    }

    /// Takes a write. Bits that do not exist are 0 in `value`.
    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8);

    /// When the block next does something by itself.
    fn due(&self, _clocks: &Clocks) -> Due {
        Due::Never
    }

    /// Does what is due at `cx.now`. Afterwards `due` is later.
    fn fire(&mut self, _cx: &mut Context<'_>) {}

    /// The interrupt requests of the block, flag and enable bit together: bits by vector number.
    fn lines(&self) -> u64 {
        0
    }

    /// The interrupts that the block may still request: they are enabled, and their counter does not stand. Bits
    /// by vector number.
    fn interrupts(&self) -> u64 {
        0
    }

    /// The handler of one of its vectors is entered: flags that hardware clears then are cleared.
    fn acknowledge(&mut self, _cx: &mut Context<'_>, _vector: u32) {}

    /// The clocks of the chip have changed at `cx.now`: sleep begins or ends, or the processor's
    /// frequency is another one. `cx.clocks` is the new state.
    fn clocks_changed(&mut self, _cx: &mut Context<'_>) {}

    /// Something arrives on a pin that carries a signal of this block.
    fn input(&mut self, _cx: &mut Context<'_>, _signal: Signal, _input: PadInput) {}

    /// What the block does, as far as it determines its current: [`OFF`], or one of its states in
    /// [`component_states`](crate::component_states).
    fn activity(&self) -> &'static str {
        OFF
    }

    /// Takes the reset value of every register. Those of a pin's or the watchdog's reset are the same,
    /// except where `power` is looked at: power has come up.
    fn reset(&mut self, cx: &mut Context<'_>, power: bool);
}

/// What arrives on a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(crate) enum PadInput {
    /// The level changed.
    Level(bool),
    /// A serial character begins.
    Frame(Frame),
    /// A device answers the step of a clocked serial bus that is under way.
    Reply(Reply),
    /// A master outside begins to clock a word in.
    Word(Word),
    /// The voltage changed, in microvolts.
    Voltage(u32),
}

/// What a block can use while it is served.
pub(crate) struct Context<'a> {
    /// Present time.
    pub now: Time,
    /// Edges of the I/O clock so far. A write takes effect with the edge that ends its instruction.
    pub cycle: u64,
    /// The clocks of the chip.
    pub clocks: &'a Clocks,
    /// The block's effects, which the chip applies when the block returns.
    pub out: &'a mut Effects,
}

/// The effects of blocks on the rest of the chip, in order.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub(crate) struct Effects {
    /// Cycles for which the access halts the processor.
    pub stall: u32,
    /// What was wrong with the access.
    pub warning: Option<WarningKind>,
    /// The effects to be applied.
    pub queue: VecDeque<Effect>,
}

impl Effects {
    /// Halts the processor for so many cycles after the access.
    pub fn stall(&mut self, cycles: u32) {
        self.stall = cycles;
    }

    /// Reports that the access is wrong. The block decides how it continues.
    pub fn warn(&mut self, kind: WarningKind) {
        self.warning.get_or_insert(kind);
    }

    /// Passes something to another block or out of the chip.
    pub fn push(&mut self, effect: Effect) {
        self.queue.push_back(effect);
    }

    /// Overrides what the port does with the pin of a signal.
    pub fn override_pin(&mut self, signal: Signal, drive: Drive) {
        self.push(Effect::Override(signal, drive));
    }
}

/// What a block decides about a pin in place of its port (data sheet, "Alternate Port Functions"); what
/// is `None` stays the port's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(crate) struct Drive {
    /// DDOE and DDOV: whether the pin is an output.
    pub output: Option<bool>,
    /// PVOE and PVOV: the level of an output.
    pub value: Option<bool>,
    /// PUOE and PUOV: whether it is pulled up.
    pub pull_up: Option<bool>,
}

impl Drive {
    /// The port decides everything.
    pub const NONE: Drive = Drive { output: None, value: None, pull_up: None };
    /// An input, whatever DDRx says.
    pub const INPUT: Drive = Drive { output: Some(false), value: None, pull_up: None };

    /// This level, if the pin is an output.
    pub const fn value(high: bool) -> Drive {
        Drive { value: Some(high), ..Drive::NONE }
    }

    /// An output with this level.
    pub const fn output(high: bool) -> Drive {
        Drive { output: Some(true), value: Some(high), pull_up: None }
    }
}

/// One effect of a block on the rest of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(crate) enum Effect {
    /// A block overrides a pin; goes to the port.
    Override(Signal, Drive),
    /// A serial character begins on a pin; leaves the chip.
    Frame(Signal, Frame),
    /// A step of a clocked serial bus begins on a pin; leaves the chip.
    Transfer(Signal, Transfer),
    /// An SPI slave takes words from now on, or not any more; leaves the chip.
    TakesWords(Signal, bool),
    /// The voltage at a pin is sampled; leaves the chip.
    Sample(Signal),
    /// The converter uses the supply; leaves the chip.
    SampleSupply,
    /// The port drives a pin; leaves the chip.
    Pin(PinId, Level),
    /// The port passes a pin's input to the block of a signal.
    Input(Signal, PadInput),
    /// The comparator with this output is connected to the input capture unit of timer 1, or not any more.
    Capture(Option<bool>),
    /// XDIV or OSCCAL changed: the processor's clock is another one.
    Clocks,
    /// MCUCR.IVSEL changed: the vectors are in the boot section, or not.
    Vectors(bool),
    /// Resets the chip, after the present access or event.
    Reset(ResetCause),
}

/// The bit `mask` of a register, if it is set.
pub(crate) const fn flag(set: bool, mask: u8) -> u8 {
    if set { mask } else { 0 }
}

/// Why a chip was reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(crate) enum ResetCause {
    /// Power came up.
    PowerOn,
    /// The reset pin.
    External,
    /// The watchdog.
    Watchdog,
    /// The supply is too low.
    BrownOut,
}

impl ResetCause {
    /// Its name among the chip's reports.
    pub fn name(self) -> &'static str {
        match self {
            ResetCause::PowerOn => "power-on",
            ResetCause::External => "external",
            ResetCause::BrownOut => "brown-out",
            ResetCause::Watchdog => "watchdog",
        }
    }
}
