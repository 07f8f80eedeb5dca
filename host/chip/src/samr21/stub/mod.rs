// SPDX-License-Identifier: MIT OR Apache-2.0
//! Blocks of which only the registers are modelled: they store and answer, and a software reset and
//! an enable bit take the time of a synchronization. Enabling one warns, since its function is
//! missing.

mod table;
#[cfg(test)]
mod tests;

use super::register::{self, At, Bank, Register};
use crate::clock::Clock;
use crate::row::Row;
use crate::samr21::peripheral::{Context, Peripheral, ResetKind};
use crate::samr21::sync::Synchronizer;
use crate::{OFF, Time, WarningKind};
use lichen_isa::Width;

const SWRST: u32 = 1 << 0;
const ENABLE: u32 = 1 << 1;

/// What a register of such a block does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Stores what is written.
    Stored,
    /// Always reads its reset value, and may be written.
    Fixed,
    /// Holds SWRST and ENABLE.
    Control,
    /// Stores, and switches the function on at once.
    Switch,
    /// This bit, or these bits, read as 1 while SWRST or ENABLE is being synchronized.
    Busy(u32),
    /// Sets bits of its slot.
    Sets,
    /// Clears bits of its slot.
    Clears,
}

/// A register with its reset value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Id {
    role: Role,
    /// Place in the block's values; a SET and a CLR register share one.
    slot: usize,
    reset: u32,
}

/// What distinguishes one block from another.
pub(super) struct Layout {
    registers: &'static [Register<Id>],
    /// Number of values.
    slots: usize,
    /// Bridge of the peripheral bus.
    bridge: u8,
    /// Generic clock channel that SWRST and ENABLE are synchronized with; without one they act at
    /// once.
    channel: Option<u8>,
    /// Bits of the control register that switch the function on.
    starts: u32,
    /// Offsets exempt from write protection: flags, and what makes a block work.
    exempt: &'static [u32],
}

impl Row for Layout {
    fn number(&self) -> u8 {
        let place = table::LAYOUTS.iter().position(|layout| std::ptr::eq(*layout, self));
        place.map_or(u8::MAX, |place| place as u8)
    }

    fn numbered(number: u8) -> Option<&'static Layout> {
        table::LAYOUTS.get(usize::from(number)).copied()
    }
}

/// A block known from outside only.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Stub {
    #[borsh(
        serialize_with = "crate::row::serialize",
        deserialize_with = "crate::row::deserialize"
    )]
    layout: &'static Layout,
    values: Vec<u32>,
    sync: Synchronizer,
    resetting: bool,
}

impl Stub {
    /// Analog comparators.
    pub fn ac() -> Stub {
        Stub::new(&table::AC)
    }

    /// Digital-to-analog converter.
    pub fn dac() -> Stub {
        Stub::new(&table::DAC)
    }

    /// Micro trace buffer.
    pub fn mtb() -> Stub {
        Stub::new(&table::MTB)
    }

    /// Peripheral touch controller, whose registers the data sheet does not name.
    pub fn ptc() -> Stub {
        Stub::new(&table::PTC)
    }

    /// Control of the radio's front end.
    pub fn rfctrl() -> Stub {
        Stub::new(&table::RFCTRL)
    }

    /// USB, with no cable connected.
    pub fn usb() -> Stub {
        Stub::new(&table::USB)
    }

    fn new(layout: &'static Layout) -> Stub {
        let mut stub = Stub {
            layout,
            values: vec![0; layout.slots],
            sync: Synchronizer::default(),
            resetting: false,
        };
        stub.take_reset_values();
        stub
    }

    fn take_reset_values(&mut self) {
        self.values.fill(0);
        for register in self.layout.registers {
            if !matches!(register.id.role, Role::Sets | Role::Clears) {
                let slots = register.id.slot..register.id.slot + register.count as usize;
                self.values[slots].fill(register.id.reset);
            }
        }
    }

    fn clock(&self, cx: &Context<'_>) -> Option<Clock> {
        self.layout.channel.and_then(|channel| cx.clocks.generic(channel))
    }

    fn warn_start(&self, cx: &mut Context<'_>, old: u32, new: u32) {
        if !old & new & self.layout.starts != 0 {
            cx.out.warn(WarningKind::NotModelled);
        }
    }

    fn write_control(&mut self, cx: &mut Context<'_>, slot: usize, value: u32) {
        let old = self.values[slot];
        if value & SWRST != 0 {
            self.take_reset_values();
            self.resetting = true;
        } else {
            self.values[slot] = value;
        }
        self.warn_start(cx, old, value);
        if self.layout.channel.is_some() && (old ^ value) & (SWRST | ENABLE) != 0 {
            let clock = self.clock(cx);
            if clock.is_none() {
                cx.out.warn(WarningKind::CoreUnclocked);
            }
            self.sync.start(cx.now, clock, cx.clocks.bus(self.layout.bridge));
        }
    }
}

impl Bank for Stub {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        self.layout.registers
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        let slot = at.id.slot + at.index;
        let busy = self.sync.is_busy(cx.now);
        match at.id.role {
            Role::Stored | Role::Fixed | Role::Switch | Role::Sets | Role::Clears => {
                self.values[slot]
            }
            Role::Control => self.values[slot] | (self.resetting && busy) as u32,
            Role::Busy(bits) => at.id.reset | if busy { bits } else { 0 },
        }
    }

    fn holds_until(&self, now: Time, _at: At<Id>) -> Time {
        self.sync.holds_until(now)
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let slot = at.id.slot + at.index;
        match at.id.role {
            Role::Stored => self.values[slot] = at.merge(self.values[slot], value),
            Role::Switch => {
                let old = self.values[slot];
                self.values[slot] = at.merge(old, value);
                self.warn_start(cx, old, self.values[slot]);
            }
            Role::Fixed | Role::Busy(_) => {}
            Role::Control if self.sync.stall(cx.now, cx.out) => {}
            Role::Control => {
                self.resetting = false;
                let value = at.merge(self.values[slot], value);
                self.write_control(cx, slot, value);
            }
            Role::Sets => self.values[slot] |= value,
            Role::Clears => self.values[slot] &= !value,
        }
    }
}

impl Peripheral for Stub {
    fn read(&mut self, cx: &mut Context<'_>, offset: u32, width: Width) -> u32 {
        if self.layout.registers.is_empty() {
            return 0;
        }
        register::read(self, cx, offset, width)
    }

    fn holds_until(&self, now: Time, offset: u32, width: Width) -> Time {
        register::holds_until(self, now, offset, width)
    }

    fn write(&mut self, cx: &mut Context<'_>, offset: u32, width: Width, value: u32) {
        if self.layout.registers.is_empty() {
            cx.out.warn(WarningKind::NotModelled);
            return;
        }
        register::write(self, cx, offset, width, value);
    }

    fn activity(&self) -> &'static str {
        let starts = |register: &Register<Id>| {
            matches!(register.id.role, Role::Control | Role::Switch)
                && self.values[register.id.slot] & self.layout.starts != 0
        };
        if self.layout.registers.iter().any(starts) { "on" } else { OFF }
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let clock = self.clock(cx);
        self.sync.clocks_changed(cx.now, clock, cx.clocks.bus(self.layout.bridge));
    }

    fn write_protected(&self, offset: u32) -> bool {
        !self.layout.exempt.contains(&offset)
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _kind: ResetKind) {
        *self = Stub::new(self.layout);
    }
}
