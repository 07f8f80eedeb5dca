// SPDX-License-Identifier: MIT OR Apache-2.0
//! One port: its registers, and the levels of its pins.

use super::NOTHING;
use crate::atmega128::peripheral::{Context, Drive};
use crate::atmega128::pins::Signal;
use crate::{Level, Pull, Time};

/// What an input reads as high: half of a supply of 3 V, in microvolts.
const THRESHOLD: u32 = 1_500_000;

/// An override of a pin by a block.
#[derive(Clone, Copy, borsh::BorshSerialize, borsh::BorshDeserialize)]
struct Override {
    bit: u8,
    signal: Signal,
    drive: Drive,
}

/// One port.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Group {
    pub port: u8,
    pub ddr: u8,
    overrides: Vec<Override>,
    /// What the world does to each pin.
    outside: [Level; 8],
    voltages: [Option<u32>; 8],
    /// What the chip was last seen to do to each pin.
    driven: [Level; 8],
    /// Levels of the pins.
    levels: u8,
    /// The levels before they last changed, and when that was.
    before: u8,
    changed: Time,
}

impl Group {
    pub fn new() -> Group {
        Group {
            port: 0,
            ddr: 0,
            overrides: Vec::new(),
            outside: [NOTHING; 8],
            voltages: [None; 8],
            driven: [NOTHING; 8],
            levels: 0,
            before: 0,
            changed: Time::ZERO,
        }
    }

    /// A reset: all pins are inputs without pull-ups. What the world does to them remains.
    pub fn reset(&mut self) {
        self.port = 0;
        self.ddr = 0;
        self.overrides.clear();
    }

    pub fn override_pin(&mut self, bit: u8, signal: Signal, drive: Drive) {
        self.overrides.retain(|other| other.signal != signal);
        if drive != Drive::NONE {
            self.overrides.push(Override { bit, signal, drive });
        }
    }

    /// Whether a block has taken the pin over.
    pub fn is_overridden(&self, bit: u8) -> bool {
        self.overrides.iter().any(|other| other.bit == bit)
    }

    pub fn set_outside(&mut self, bit: u8, level: Level) {
        self.outside[usize::from(bit)] = level;
        self.voltages[usize::from(bit)] = None;
    }

    pub fn set_voltage(&mut self, bit: u8, microvolts: u32) {
        self.voltages[usize::from(bit)] = Some(microvolts);
    }

    /// The voltage that something outside puts on a pin.
    pub fn voltage(&self, bit: u8) -> Option<u32> {
        self.voltages[usize::from(bit)]
    }

    /// What the chip does to a pin.
    pub fn resolve(&self, bit: u8, pull_ups_disabled: bool) -> Level {
        let (port, ddr) = (self.port >> bit & 1 != 0, self.ddr >> bit & 1 != 0);
        let merged = self.merged(bit, port);
        if merged.output.unwrap_or(ddr) {
            return if merged.value.unwrap_or(port) { Level::High } else { Level::Low };
        }
        let pull_up = merged.pull_up.unwrap_or(port && !pull_ups_disabled);
        Level::Floating(if pull_up { Pull::Up } else { Pull::None })
    }

    /// All overrides of a pin together. Of two values, as OC2 and OC1C have on PB7, the port's bit
    /// selects the sum or the product ("Output Compare Modulator").
    fn merged(&self, bit: u8, port: bool) -> Drive {
        let mut merged = Drive::NONE;
        for Override { drive, .. } in self.overrides.iter().filter(|other| other.bit == bit) {
            merged.output = merged.output.or(drive.output);
            merged.pull_up = merged.pull_up.or(drive.pull_up);
            merged.value = match (merged.value, drive.value) {
                (Some(one), Some(other)) => Some(if port { one || other } else { one && other }),
                (one, other) => one.or(other),
            };
        }
        merged
    }

    /// Notes what the chip does to a pin; returns it if it is new.
    pub fn drive(&mut self, bit: u8, level: Level) -> Option<Level> {
        let before = std::mem::replace(&mut self.driven[usize::from(bit)], level);
        (before != level).then_some(level)
    }

    /// Lets a pin's level follow what the chip and the world do to it; returns it if it has changed.
    pub fn follow(&mut self, now: Time, bit: u8) -> Option<bool> {
        let high = self.level(usize::from(bit));
        let levels = self.levels & !(1 << bit) | u8::from(high) << bit;
        if levels == self.levels {
            return None;
        }
        if now > self.changed {
            self.before = self.levels;
            self.changed = now;
        }
        self.levels = levels;
        Some(high)
    }

    /// A pin that nothing holds is low.
    fn level(&self, bit: usize) -> bool {
        match (self.driven[bit], self.voltages[bit], self.outside[bit]) {
            (Level::High, ..) => true,
            (Level::Low, ..) => false,
            (_, Some(microvolts), _) => microvolts >= THRESHOLD,
            (_, None, Level::High) => true,
            (_, None, Level::Low) => false,
            (Level::Floating(Pull::Up), ..) => true,
            (_, None, Level::Floating(pull)) => pull == Pull::Up,
        }
    }

    /// Whether the chip drives a pin.
    pub fn is_output(&self, bit: u8) -> bool {
        matches!(self.driven[usize::from(bit)], Level::High | Level::Low)
    }

    /// The level of a pin.
    pub fn is_high(&self, bit: u8) -> bool {
        self.levels >> bit & 1 != 0
    }

    /// When the latch in front of PINx, which is read in this cycle, has closed: half a cycle before.
    fn latched(cx: &Context<'_>) -> Time {
        cx.now - cx.clocks.processor().span(1) / 2
    }

    /// PINx as it is read now: the pins as they were when the latch closed.
    pub fn sampled(&self, cx: &Context<'_>) -> u8 {
        if Group::latched(cx) >= self.changed { self.levels } else { self.before }
    }

    /// Whether PINx shows the present levels.
    pub fn is_steady(&self, cx: &Context<'_>) -> bool {
        Group::latched(cx) >= self.changed
    }
}
