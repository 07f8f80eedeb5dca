//! What a block on a chip's peripheral bus is, and what it may say while it is served.
//!
//! A block holds its registers and nothing else. All it knows of the rest of the chip comes in
//! through [`Context`], and all it does to the rest leaves through it. The chip serves blocks in
//! the order of time, then of a fixed index, so that runs repeat.

use crate::clock::Clock;
use crate::{Frame, Level, Time, WarningKind};
use lichen_isa::Width;
use lichen_isa::armv6m::Memory;

/// A block on the peripheral bus. Offsets are from the block's base; accesses are aligned.
pub trait Peripheral {
    /// Answers a read. Side effects (flags that clear on read) happen here.
    fn read(&mut self, cx: &mut Context<'_>, offset: u32, width: Width) -> u32;

    /// Takes a write.
    fn write(&mut self, cx: &mut Context<'_>, offset: u32, width: Width, value: u32);

    /// When the block next does something by itself; [`Time::NEVER`] if nothing is under way.
    fn due(&self) -> Time {
        Time::NEVER
    }

    /// Does what is due at `cx.now`. Afterwards `due` lies later.
    fn fire(&mut self, _cx: &mut Context<'_>) {}

    /// Level of the block's interrupt request line.
    fn irq(&self) -> bool {
        false
    }

    /// A clock of the chip was started, stopped or changed at `cx.now`: counters that are values
    /// of time take their present value and count on from it. `cx.clocks` still holds nothing but
    /// the new state; what the block needs of the old one it has kept.
    fn clocks_changed(&mut self, _cx: &mut Context<'_>) {}

    /// Whether the block asks for its generic clock now, which keeps it running in sleep modes
    /// (enabled, and set to run in standby).
    fn wants_clock(&self) -> bool {
        false
    }

    /// A signal arrives on a pad that the port has given to this block.
    fn pad_input(&mut self, _cx: &mut Context<'_>, _pad: u8, _input: PadInput) {}

    /// The reset value of every register. Blocks that survive some resets look at `kind`.
    fn reset(&mut self, kind: ResetKind);
}

/// What arrives on a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PadInput {
    /// The level changed.
    Level(bool),
    /// A serial character begins.
    Frame(Frame),
}

/// How deep a reset goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetKind {
    /// Everything, the always-on domain included (RTC, WDT, generators with write lock).
    Power,
    /// Watchdog, system request or pin: the always-on domain keeps its state as the data sheet says.
    User,
}

/// The clocks that run now, as blocks see them. Implemented by a chip's clock system.
pub trait Clocks {
    /// The generic clock of a peripheral channel (GCLK CLKCTRL.ID), if it runs.
    fn generic(&self, channel: u8) -> Option<Clock>;
    /// The bus clock of the bridge that the block is on.
    fn bus(&self, bridge: u8) -> Clock;
    /// The processor's clock (also while the processor sleeps).
    fn processor(&self) -> Clock;
}

/// What a block is given while it is served.
pub struct Context<'a> {
    /// Present time.
    pub now: Time,
    /// The clocks that run now.
    pub clocks: &'a dyn Clocks,
    /// Flash and RAM, for blocks that are masters (DMA) or that write them (flash controller).
    pub memory: &'a mut Memory,
    /// What the block has to say; the chip acts on it when the block returns.
    pub out: &'a mut Effects,
}

/// What blocks do to the rest of the chip, in the order in which they did it.
#[derive(Debug, Default)]
pub struct Effects {
    /// The access holds the bus until then (synchronizers, busy flash). The processor waits, with
    /// its interrupts pending.
    pub stall_until: Option<Time>,
    /// What was wrong with the access.
    pub warning: Option<WarningKind>,
    /// Signals on pads, resolved to pins by the port.
    pub pads: Vec<(Signal, PadOutput)>,
    /// Event generators that fired (EVSYS numbers).
    pub events: Vec<u8>,
    /// DMA triggers whose level became active (DMAC numbers).
    pub triggers: Vec<u8>,
}

/// What leaves on a pad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PadOutput {
    /// A level, until the next.
    Level(Level),
    /// A serial character, from now on.
    Frame(Frame),
}

/// A function of a block that can be routed to a pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
