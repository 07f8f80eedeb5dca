// SPDX-License-Identifier: MIT OR Apache-2.0
//! PORT: the pins, as registers (data sheet, chapter "PORT").
//!
//! Pins are resolved here and nowhere else. Blocks drive signals through [`Port::drive`], the world
//! through [`Port::outside`].

mod group;
mod mux;
#[cfg(test)]
mod tests;

use super::register::{
    self, Access, At, Bank, Choice, Register, array, choice, ones, ro, rw, up_to,
};
use crate::dues::set_bits;
use crate::samr21::peripheral::{
    Context, Effect, PadInput, PadOutput, Peripheral, ResetKind, Signal,
};
use crate::wave::Wave;
use crate::{Input, Level, PinId, Time, WarningKind};
use group::{Group, PINCFG_MASK};
use lichen_isa::Width;
pub(super) use mux::analog_pins;
use std::collections::BTreeMap;

/// Bridge of the peripheral bus that PORT is on (B).
const BRIDGE: u8 = 1;
const GROUPS: usize = 3;
const GROUP_SIZE: u32 = 0x80;
/// Bus cycles that the input synchronizer takes.
const SYNCHRONIZER_EDGES: u64 = 2;

#[derive(Clone, Copy)]
pub(crate) enum Id {
    Dir,
    DirClr,
    DirSet,
    DirTgl,
    Out,
    OutClr,
    OutSet,
    OutTgl,
    In,
    Ctrl,
    WrConfig,
    Pmux,
    PinCfg,
}

const ALL: u32 = u32::MAX;

/// The functions A to H that PMUX has for an even and an odd pin.
const FUNCTIONS: &[Choice] = &[choice(0, 4, up_to(7)), choice(4, 4, up_to(7))];

static REGISTERS: &[Register<Id>] = &[
    rw(Id::Dir, 0x00, Width::Word, ALL),
    ones(Id::DirClr, 0x04, Width::Word),
    ones(Id::DirSet, 0x08, Width::Word),
    ones(Id::DirTgl, 0x0C, Width::Word),
    rw(Id::Out, 0x10, Width::Word, ALL),
    ones(Id::OutClr, 0x14, Width::Word),
    ones(Id::OutSet, 0x18, Width::Word),
    ones(Id::OutTgl, 0x1C, Width::Word),
    ro(Id::In, 0x20, Width::Word),
    rw(Id::Ctrl, 0x24, Width::Word, ALL),
    rw(Id::WrConfig, 0x28, Width::Word, 0xDF47_FFFF),
    array(Id::Pmux, 0x30, Width::Byte, 16, 0xFF).choosing(FUNCTIONS),
    Register {
        id: Id::PinCfg,
        offset: 0x40,
        width: Width::Byte,
        count: 32,
        mask: PINCFG_MASK as u32,
        access: Access::ReadWrite,
        choices: &[],
    },
];

/// The port, all three groups.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Port {
    groups: [Group; GROUPS],
    /// What blocks drive on their signals.
    driven: BTreeMap<Signal, Level>,
    /// Serial characters from outside that are being turned into edges.
    waves: Vec<Wave>,
    /// Group of the access under way, and whether it came over the IOBUS.
    selected: usize,
    over_iobus: bool,
    /// When the read of IN that holds the bus has its sample.
    sampling_until: Option<Time>,
}

impl Port {
    /// Added to the offset of an access that came over the processor's local bus (0x60000000),
    /// which cannot wait.
    pub const IOBUS: u32 = 0x1000;

    /// The port of the SAMR21G after reset, nothing connected outside.
    pub fn new() -> Port {
        Port {
            groups: std::array::from_fn(Group::new),
            driven: BTreeMap::new(),
            waves: Vec::new(),
            selected: 0,
            over_iobus: false,
            sampling_until: None,
        }
    }

    /// A block drives a signal: the pins that carry it follow.
    pub fn drive(&mut self, cx: &mut Context<'_>, signal: Signal, output: PadOutput) {
        match output {
            PadOutput::Level(level) => {
                self.driven.insert(signal, level);
                for group in 0..GROUPS {
                    let pins = self.groups[group].carrying(signal);
                    // Timers drive all their signals all the time, but few of them reach a pin.
                    if pins != 0 {
                        self.settle(cx, group, pins);
                    }
                }
            }
            PadOutput::Frame(frame) => {
                for pin in self.pins_carrying(signal) {
                    cx.out.push(Effect::PinFrame(pin, frame));
                }
            }
            PadOutput::Transfer(transfer) => {
                for pin in self.pins_carrying(signal) {
                    cx.out.push(Effect::PinTransfer(pin, transfer));
                }
            }
            PadOutput::Sample => {
                for pin in self.pins_carrying(signal) {
                    cx.out.push(Effect::PinSample(pin));
                }
            }
        }
    }

    /// The world changes a pin. Pins that the package lacks ignore it.
    pub fn outside(&mut self, cx: &mut Context<'_>, input: Input) {
        match input {
            Input::Pin { pin, level } => self.outside_level(cx, pin, level),
            Input::Frame { pin, frame } => {
                let Some(group) = self.groups.get(pin.port as usize) else { return };
                match group.signal(pin.bit) {
                    Some(signal @ Signal::Sercom { .. }) => {
                        cx.out.push(Effect::Input(signal, PadInput::Frame(frame)));
                    }
                    _ => {
                        self.waves.push(Wave::new(pin, frame, cx.now));
                        self.fire(cx);
                    }
                }
            }
            Input::Reply { pin, reply } => {
                let signal = self.groups.get(pin.port as usize).and_then(|g| g.signal(pin.bit));
                if let Some(signal) = signal {
                    cx.out.push(Effect::Input(signal, PadInput::Reply(reply)));
                }
            }
            Input::Voltage { pin, microvolts } => {
                let Some(group) = self.groups.get_mut(pin.port as usize) else { return };
                group.set_voltage(pin.bit, microvolts);
                self.settle(cx, pin.port as usize, 1 << pin.bit);
            }
            Input::Clock { pin, millihertz } => {
                if let Some(group) = self.groups.get_mut(pin.port as usize) {
                    group.set_clock(cx, pin.bit, millihertz);
                }
            }
            Input::Word { .. } | Input::Supply { .. } | Input::Reset => {}
        }
    }

    fn outside_level(&mut self, cx: &mut Context<'_>, pin: PinId, level: Level) {
        let Some(group) = self.groups.get_mut(pin.port as usize) else { return };
        group.set_clock(cx, pin.bit, 0);
        if group.set_outside(pin.bit, level) {
            self.settle(cx, pin.port as usize, 1 << pin.bit);
        }
    }

    fn pins_carrying(&self, signal: Signal) -> impl Iterator<Item = PinId> + use<> {
        let masks: [u32; GROUPS] = std::array::from_fn(|n| self.groups[n].carrying(signal));
        let of_group = |(port, mask): (u8, u32)| {
            set_bits(mask.into()).map(move |bit| PinId { port, bit: bit as u8 })
        };
        (0..).zip(masks).flat_map(of_group)
    }

    /// Recomputes `pins` of a group after anything about them changed.
    fn settle(&mut self, cx: &mut Context<'_>, group: usize, pins: u32) {
        self.groups[group].synchronize(cx.now, cx.clocks.bus(BRIDGE));
        self.groups[group].settle(cx, pins, &self.driven);
    }

    fn load_in(&mut self, cx: &mut Context<'_>, lanes: u32) -> u32 {
        let clock = cx.clocks.bus(BRIDGE);
        let group = &mut self.groups[self.selected];
        if self.over_iobus {
            return group.sampled(cx.now, clock);
        }
        let demanded = group.on_demand() & lanes != 0;
        let finished = self.sampling_until.take_if(|until| *until <= cx.now).is_some();
        if demanded && !finished {
            let until = clock.nth_after(cx.now, SYNCHRONIZER_EDGES);
            self.sampling_until = Some(until);
            cx.out.stall(until);
            group.sample_now(lanes);
        }
        group.sampled(cx.now, clock)
    }

    /// WRCONFIG: the same configuration for any pins of one half, in one word.
    fn write_config(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        if at.lanes != ALL {
            cx.out.warn(WarningKind::NoRegister);
            return;
        }
        let writes_function = value >> 28 & 1 != 0;
        if writes_function {
            register::warn_of_choices(cx, &[choice(24, 4, up_to(7))], at.lanes, value);
        }
        let half = (value >> 31) * 16;
        let pins = (value & 0xFFFF) << half;
        let group = &mut self.groups[self.selected];
        for bit in (0..32).filter(|bit| pins >> bit & 1 != 0) {
            if writes_function {
                group.set_function(bit, (value >> 24 & 0xF) as u8);
            }
            if value >> 30 & 1 != 0 {
                group.set_config(bit, (value >> 16) as u8 & PINCFG_MASK);
            }
        }
        self.settle(cx, self.selected, pins);
    }

    fn store_bits(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let group = &mut self.groups[self.selected];
        let (dir, out) = (group.dir, group.out);
        match at.id {
            Id::Dir => group.dir = at.merge(dir, value),
            Id::DirClr => group.dir &= !value,
            Id::DirSet => group.dir |= value,
            Id::DirTgl => group.dir ^= value,
            Id::Out => group.out = at.merge(out, value),
            Id::OutClr => group.out &= !value,
            Id::OutSet => group.out |= value,
            _ => group.out ^= value,
        }
        group.drop_missing();
        let changed = (group.dir ^ dir) | (group.out ^ out);
        self.settle(cx, self.selected, changed);
    }
}

impl Default for Port {
    fn default() -> Port {
        Port::new()
    }
}

impl Bank for Port {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        let group = &self.groups[self.selected];
        match at.id {
            Id::Dir | Id::DirClr | Id::DirSet | Id::DirTgl => group.dir,
            Id::Out | Id::OutClr | Id::OutSet | Id::OutTgl => group.out,
            Id::In => self.load_in(cx, at.lanes),
            Id::Ctrl => group.sampling,
            Id::WrConfig => 0,
            Id::Pmux => group.pmux(at.index) as u32,
            Id::PinCfg => group.config(at.index) as u32,
        }
    }

    fn holds_until(&self, _now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::In if self.groups[self.selected].is_steady(at.lanes, self.over_iobus) => {
                Time::NEVER
            }
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        match at.id {
            Id::Ctrl => {
                let group = &mut self.groups[self.selected];
                group.synchronize(cx.now, cx.clocks.bus(BRIDGE));
                group.sampling = at.merge(group.sampling, value);
            }
            Id::WrConfig => self.write_config(cx, at, value),
            Id::Pmux => {
                let group = &mut self.groups[self.selected];
                group.set_function(at.index * 2, value as u8 & 0xF);
                group.set_function(at.index * 2 + 1, value as u8 >> 4);
                self.settle(cx, self.selected, 0b11 << (at.index * 2));
            }
            Id::PinCfg => {
                self.groups[self.selected].set_config(at.index, value as u8);
                self.settle(cx, self.selected, 1 << at.index);
            }
            Id::In => {}
            _ => self.store_bits(cx, at, value),
        }
    }
}

impl Peripheral for Port {
    fn read(&mut self, cx: &mut Context<'_>, offset: u32, width: Width) -> u32 {
        let Some(offset) = self.select(cx, offset) else { return 0 };
        register::read(self, cx, offset, width)
    }

    fn holds_until(&self, now: Time, offset: u32, width: Width) -> Time {
        if self.selected >= GROUPS {
            return Time::ZERO;
        }
        let offset = offset & !Port::IOBUS & (GROUP_SIZE - 1);
        register::holds_until(self, now, offset, width)
    }

    fn write(&mut self, cx: &mut Context<'_>, offset: u32, width: Width, value: u32) {
        let Some(offset) = self.select(cx, offset) else { return };
        register::write(self, cx, offset, width, value);
    }

    fn due(&self) -> Time {
        self.waves.iter().map(Wave::due).min().unwrap_or(Time::NEVER)
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        let mut waves = std::mem::take(&mut self.waves);
        for wave in &mut waves {
            while wave.due() <= cx.now {
                let level = wave.advance();
                self.outside_level(cx, wave.pin, level);
            }
        }
        waves.retain(|wave| wave.due() != Time::NEVER);
        self.waves = waves;
    }

    fn reset(&mut self, cx: &mut Context<'_>, _kind: ResetKind) {
        self.driven.clear();
        self.sampling_until = None;
        for group in &mut self.groups {
            group.reset(cx);
        }
    }
}

impl Port {
    /// Splits an offset into group and rest.
    fn select(&mut self, cx: &mut Context<'_>, offset: u32) -> Option<u32> {
        self.over_iobus = offset & Port::IOBUS != 0;
        let offset = offset & !Port::IOBUS;
        self.selected = (offset / GROUP_SIZE) as usize;
        if self.selected >= GROUPS {
            cx.out.warn(WarningKind::NoRegister);
            return None;
        }
        Some(offset % GROUP_SIZE)
    }
}
