// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks on a chip's peripheral bus, and the effects that they may have while they are served.
//!
//! A block holds its registers and nothing else. It learns about the rest of the chip through
//! [`Context`], and acts on the rest through [`Effects`]. The chip serves blocks in the order of
//! time, and at equal times in the order of a fixed index, and applies their effects in the order
//! in which they were made, so that runs repeat.

use crate::clock::Clock;
use crate::{Frame, Level, PinId, Reply, Time, Transfer, WarningKind};
use borsh::{BorshDeserialize, BorshSerialize};
use lichen_isa::Width;
use lichen_isa::armv6m::Memory;
use std::collections::VecDeque;

/// A block on the peripheral bus. Offsets are from the block's base; accesses are aligned.
pub trait Peripheral {
    /// Answers a read. Side effects (flags that clear on read) happen here.
    ///
    /// A read for which the bus must wait calls [`Effects::stall`]; its value is then dropped, and
    /// the chip repeats the read at that time.
    fn read(&mut self, cx: &mut Context<'_>, offset: u32, width: Width) -> u32;

    /// Until when a read of `width` at `offset` returns the same as at `now`, without a stall and
    /// without changing anything, as long as nothing is written, nothing arrives from outside the
    /// block, and it is not due. [`Time::ZERO`] if this is not known. The chip asks after a read,
    /// in order to skip polling loops.
    fn holds_until(&self, _now: Time, _offset: u32, _width: Width) -> Time {
        Time::ZERO
    }

    /// Takes a write, which may request a stall as a read may; it must then not change anything
    /// yet.
    fn write(&mut self, cx: &mut Context<'_>, offset: u32, width: Width, value: u32);

    /// When the block next does something by itself; [`Time::NEVER`] if nothing is under way.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Does what is due at `cx.now`. Afterwards `due` is later.
    fn fire(&mut self, _cx: &mut Context<'_>) {}

    /// What the block does, as far as it determines its current: [`OFF`](crate::OFF), or one of its states in
    /// [`component_states`](crate::component_states).
    fn activity(&self) -> &'static str {
        crate::OFF
    }

    /// Level of the block's interrupt request line.
    fn irq(&self) -> bool {
        false
    }

    /// Whether the block may still request an interrupt: one is enabled, and so is what leads to it.
    fn interrupts(&self) -> bool {
        false
    }

    /// Level of the block's line to the core's NMI.
    fn nmi(&self) -> bool {
        false
    }

    /// A clock of the chip was started, stopped or changed at `cx.now`: counters that are functions
    /// of time take their present value and continue from it. `cx.clocks` already holds the new
    /// state; the block has kept what it needs from the old one. Clocks that did not change compare
    /// equal.
    fn clocks_changed(&mut self, _cx: &mut Context<'_>) {}

    /// Whether the block requests its generic clock `channel` in standby (it is enabled there, or
    /// set to run in standby).
    fn wants_clock(&self, _channel: u8) -> bool {
        false
    }

    /// Whether a write of the register at `offset` is refused while the block is write-protected
    /// (PAC); some registers, flags among them, are exempt.
    fn write_protected(&self, _offset: u32) -> bool {
        true
    }

    /// Something arrives on a pad that the port has given to this block.
    fn pad_input(&mut self, _cx: &mut Context<'_>, _signal: Signal, _input: PadInput) {}

    /// An event arrives for the event user `user`, one of this block's.
    fn event(&mut self, _cx: &mut Context<'_>, _user: u8) {}

    /// Takes the reset value of every register. Blocks whose state survives some resets check
    /// `kind`.
    fn reset(&mut self, cx: &mut Context<'_>, kind: ResetKind);
}

/// What arrives on a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum PadInput {
    /// The level changed, or the pad was given to the block and has this level.
    Level(bool),
    /// A serial character begins.
    Frame(Frame),
    /// A device answers the step of a clocked serial bus that is under way.
    Reply(Reply),
    /// The voltage on an analog input changed, in microvolts.
    Voltage(u32),
    /// A clock on a clock input changed, in millihertz; 0 while it stands.
    Clock(u64),
}

/// The extent of a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetKind {
    /// Everything, including the always-on domain (RTC, WDT, generators with write lock).
    Power,
    /// Watchdog, system request or pin: the always-on domain keeps its state as the data sheet says.
    User,
}

/// The clocks that run now, as blocks see them. Implemented by a chip's clock system.
pub trait Clocks {
    /// The generic clock of a peripheral channel (GCLK CLKCTRL.ID), if it runs.
    fn generic(&self, channel: u8) -> Option<Clock>;
    /// The bus clock of a bridge (0 is A). In standby, the one it will have after waking.
    fn bus(&self, bridge: u8) -> Clock;
    /// Whether that bus clock runs; it stops in the deeper sleep modes.
    fn bus_runs(&self, bridge: u8) -> bool;
    /// Whether the AHB is clocked, with its masters; it stops in all sleep modes but the lightest.
    fn ahb_runs(&self) -> bool;
    /// The processor's clock (also while the processor sleeps).
    fn processor(&self) -> Clock;
}

/// What a block can use while it is served.
pub struct Context<'a> {
    /// Present time.
    pub now: Time,
    /// The clocks that run now.
    pub clocks: &'a dyn Clocks,
    /// Flash and RAM, for blocks that are masters (DMA) or that write them (flash controller).
    pub memory: &'a mut Memory,
    /// The block's effects, which the chip applies when the block returns.
    pub out: &'a mut Effects,
}

/// The effects of blocks on the rest of the chip, in order.
#[derive(Clone, Debug, Default, BorshSerialize, BorshDeserialize)]
pub struct Effects {
    /// The access cannot be served before then ([`Effects::stall`]).
    pub(crate) stall_until: Option<Time>,
    /// What was wrong with the access ([`Effects::warn`]).
    pub(crate) warning: Option<WarningKind>,
    /// The effects to be applied.
    pub(crate) queue: VecDeque<Effect>,
}

impl Effects {
    /// Stalls the bus, and the master that makes the access, until `until` (synchronizers, busy
    /// flash); the same access is then repeated. [`Time::NEVER`] hangs the bus until a reset, as a
    /// synchronizer without clock does.
    pub fn stall(&mut self, until: Time) {
        self.stall_until = Some(until);
    }

    /// Reports that the access is wrong. The block decides how the access itself continues.
    pub fn warn(&mut self, kind: WarningKind) {
        self.warning.get_or_insert(kind);
    }

    /// Passes something to another block or out of the chip.
    pub fn push(&mut self, effect: Effect) {
        self.queue.push_back(effect);
    }

    /// Drives a pad of this block.
    pub fn pad(&mut self, signal: Signal, output: PadOutput) {
        self.push(Effect::Pad(signal, output));
    }

    /// Fires an event generator.
    pub fn event(&mut self, generator: u8) {
        self.push(Effect::Event(generator));
    }

    /// Sets the level of a DMA trigger.
    pub fn trigger(&mut self, source: u8, active: bool) {
        self.push(Effect::Trigger { source, active });
    }
}

/// One effect of a block on the rest of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum Effect {
    /// A block drives a pad; goes to the port.
    Pad(Signal, PadOutput),
    /// The port drives a pin; leaves the chip.
    Pin(PinId, Level),
    /// The port begins a serial character on a pin; leaves the chip.
    PinFrame(PinId, Frame),
    /// The port begins a step of a clocked serial bus on a pin; leaves the chip.
    PinTransfer(PinId, Transfer),
    /// The converter samples the voltage of a pin; leaves the chip.
    PinSample(PinId),
    /// The converter uses the supply; leaves the chip.
    SampleSupply,
    /// The port passes a pin's input to the block that the pin is routed to.
    Input(Signal, PadInput),
    /// An event generator fired (EVSYS number); goes to the event system.
    Event(u8),
    /// The event system passes an event to a user (EVSYS number); goes to the user's block.
    User(u8),
    /// A DMA trigger changed its level (DMAC number); goes to the DMA controller.
    Trigger {
        /// Number of the trigger.
        source: u8,
        /// Its level.
        active: bool,
    },
    /// The DMA controller moves one beat over the bus; the chip does it and answers.
    Beat(Beat),
    /// A register that clocks depend on changed; the chip computes its clocks anew.
    Clocks,
    /// Flash is busy until then: reads and fetches from it wait.
    FlashBusy(Time),
    /// Resets the chip, after the present access or event.
    Reset(ResetCause),
}

/// One beat of a DMA transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub struct Beat {
    /// DMA channel.
    pub channel: u8,
    /// Address to read from.
    pub source: u32,
    /// Address to write to.
    pub destination: u32,
    /// Size.
    pub width: Width,
}

/// How a [`Beat`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeatOutcome {
    /// Moved; the value is the data that was moved, for checksums.
    Done(u32),
    /// Nothing answers at one of the addresses.
    Fault,
    /// A register is not ready before then; nothing was moved, and the beat must be repeated.
    Busy(Time),
}

/// Why a chip was reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum ResetCause {
    /// Power came up.
    PowerOn,
    /// The supply sank below the detector's level.
    BrownOut,
    /// The reset pin.
    External,
    /// The watchdog.
    Watchdog,
    /// The firmware asked for it.
    System,
}

/// What leaves on a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub enum PadOutput {
    /// A level, until the next.
    Level(Level),
    /// A serial character, from now on.
    Frame(Frame),
    /// A step of a clocked serial bus, from now on.
    Transfer(Transfer),
    /// The voltage there is sampled.
    Sample,
}

/// A function of a block that can be routed to a pin.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, BorshSerialize, BorshDeserialize,
)]
pub enum Signal {
    /// Pad of a serial interface.
    Sercom {
        /// Instance.
        instance: u8,
        /// PAD[0] to PAD[3].
        pad: u8,
    },
    /// External interrupt line; 16 is the NMI.
    External(u8),
    /// Waveform output of a timer (TC).
    Tc {
        /// Instance.
        instance: u8,
        /// WO[0] or WO[1].
        output: u8,
    },
    /// Waveform output of a timer for control (TCC).
    Tcc {
        /// Instance.
        instance: u8,
        /// WO[0] to WO[7].
        output: u8,
    },
    /// Generic clock output or input.
    GclkIo(u8),
    /// Analog input of the converter.
    Adc(u8),
    /// Anything that is not modelled.
    Other,
}
