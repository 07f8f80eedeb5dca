// SPDX-License-Identifier: MIT OR Apache-2.0
//! Chipcon CC2420: the radio of the MICAz (data sheet of the part, Texas Instruments SWRS041).
//!
//! This file has its wires; [`chip::Chip`] is what they lead to.

mod access;
mod assessment;
mod chip;
mod cipher;
mod fifo;
mod filter;
mod pins;
mod ram;
mod receiver;
mod registers;
mod security;
mod states;
mod strobes;
mod transmitter;

use super::bits::{Bits, Edge};
use super::{Condition, Fitness, RadioCrystal, RadioPart, spi};
use crate::air::{Meeting, Reception, Transmission};
use crate::part::{Bus, RadioWires};
use crate::{Act, Consumption, Device, NotItsState, Stimulus, Surroundings, device};
use borsh::{BorshDeserialize, BorshSerialize};
use chip::{Chip, Mismatch};
use lichen_chip::{Input, Level, PinId, Pull, Reply, Time, Transfer};
use registers::PA_LEVEL;
use states::State;

pub(super) const RADIO: RadioPart = RadioPart {
    number: "CC2420",
    bus: Bus::Spi,
    wires: &["select", "reset", "regulator", "fifo", "fifop", "cca", "sfd"],
    optional: &[],
    is_802_15_4: true,
    connect,
};

/// The table of its currents.
const TABLE: &str = "cc2420";
const MODES: &[u8] = &[0];
/// Its fastest clock ("4-wire Serial Configuration and Data Interface").
const FASTEST_HZ: u64 = 10_000_000;

#[derive(Debug, BorshSerialize, BorshDeserialize)]
struct Cc2420 {
    /// MOSI, the select line, RESETn, VREG_EN and SCK.
    pins: [PinId; 5],
    miso: PinId,
    /// FIFO, FIFOP, CCA and SFD, and what they are driven to.
    outputs: [PinId; 4],
    levels: [Level; 4],
    fitness: Fitness,
    is_selected: bool,
    /// VREG_EN is high.
    is_enabled: bool,
    /// A byte that has arrived when this time is over.
    byte: Option<(Time, u8)>,
    /// Bytes from a master that drives MOSI and SCK bit by bit.
    bits: Bits,
    chip: Chip,
}

fn connect(wires: &RadioWires, _crystal: &RadioCrystal) -> Option<Box<dyn Device>> {
    let pin = |name| wires.pin(name);
    Some(Box::new(Cc2420 {
        pins: [pin("mosi")?, pin("select")?, pin("reset")?, pin("regulator")?, pin("sck")?],
        miso: pin("miso")?,
        outputs: [pin("fifo")?, pin("fifop")?, pin("cca")?, pin("sfd")?],
        levels: [Level::Floating(Pull::None); 4],
        fitness: Fitness::default(),
        is_selected: false,
        is_enabled: false,
        byte: None,
        bits: Bits::default(),
        chip: Chip::new(RADIO.number.to_lowercase()),
    }))
}

impl Cc2420 {
    /// Whether it is there.
    fn is_present(&self) -> bool {
        self.fitness.is_powered && self.fitness.condition != Condition::Absent
    }

    /// Whether anything happens in it: what is stuck answers, and stays as it is.
    fn is_alive(&self) -> bool {
        self.is_present() && self.fitness.condition != Condition::Stuck
    }

    /// Does what is due by now, in the order of time.
    fn catch_up(&mut self, around: &mut Surroundings<'_>) {
        while self.due() <= around.now {
            let now = self.due();
            let Surroundings { environment, acts, .. } = around;
            self.proceed(&mut Surroundings { now, environment, acts });
        }
    }

    /// Does what is due now.
    fn proceed(&mut self, around: &mut Surroundings<'_>) {
        if let Some((_, byte)) = self.byte.take_if(|(end, _)| *end <= around.now) {
            self.take(around, byte);
        }
        if self.is_alive() && self.chip.due() <= around.now {
            self.chip.fire(around);
        }
    }

    /// A byte from the master has arrived.
    fn take(&mut self, around: &mut Surroundings<'_>, byte: u8) {
        if self.is_alive() {
            self.chip.catch_up(around);
            self.chip.take(around, byte);
        } else {
            self.chip.follow(byte);
        }
    }

    /// Whether it takes part in a transfer.
    fn listens(&mut self, around: &mut Surroundings<'_>) -> bool {
        if !self.is_selected || !self.fitness.answers() {
            return false;
        }
        let can = self.chip.is_accessible();
        if !can {
            let text =
                "does not answer: its regulator is off or starting (VREG_EN), or RESETn is low";
            self.chip.mismatch(around, Mismatch::NotAccessible, text);
        }
        can
    }

    fn select(&mut self, selects: bool) {
        self.is_selected = selects;
        self.bits.select();
        self.byte = None;
        self.chip.select();
    }

    /// Drives what has changed.
    fn settle(&mut self, around: &mut Surroundings<'_>) {
        let levels = match self.is_present() {
            true if self.is_alive() => self.chip.pins(),
            true => return,
            false => [Level::Floating(Pull::None); 4],
        };
        for (pin, (before, level)) in self.outputs.iter().zip(self.levels.iter().zip(levels)) {
            if *before != level {
                around.acts.push(Act::Drive(Input::Pin { pin: *pin, level }));
            }
        }
        self.levels = levels;
    }

    /// It is there anew, with its regulator as VREG_EN says.
    fn restart(&mut self, around: &mut Surroundings<'_>) {
        self.chip.regulate(around, false);
        if self.is_alive() && self.is_enabled {
            self.chip.regulate(around, true);
        }
        self.select(false);
    }

    fn condition(&mut self, around: &mut Surroundings<'_>, condition: Condition) {
        let was_alive = self.is_alive();
        if !self.fitness.set(condition, around.now) {
            return;
        }
        match (was_alive, self.is_alive()) {
            (true, false) if condition == Condition::Stuck => self.chip.stop_radio(around),
            (true, true) => {}
            _ => self.restart(around),
        }
        let level = match condition {
            Condition::Shorted => Level::Low,
            _ => Level::Floating(Pull::None),
        };
        around.acts.push(Act::Drive(Input::Pin { pin: self.miso, level }));
        self.settle(around);
        self.fitness.report(around, &self.chip.name);
    }

    fn state(&self) -> &'static str {
        if !self.is_present() {
            return "off";
        }
        match self.chip.state {
            _ if !self.chip.is_on() => "regulator_off",
            State::PowerDown => "power_down",
            State::Idle => "idle",
            state if state.receives() => "rx",
            state if state.is_on_air() => transmitter::current(self.chip.registers.field(PA_LEVEL)),
            _ => "tx_calibrate",
        }
    }
}

impl Device for Cc2420 {
    fn name(&self) -> &str {
        &self.chip.name
    }

    fn pins(&self) -> &[PinId] {
        &self.pins
    }

    fn power_on(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = true;
        self.restart(around);
        self.settle(around);
    }

    fn power_off(&mut self, around: &mut Surroundings<'_>) {
        self.fitness.is_powered = false;
        self.restart(around);
        self.settle(around);
    }

    /// Lines that nothing drives are at rest: the select line and RESETn high, VREG_EN low.
    fn level(&mut self, around: &mut Surroundings<'_>, pin: PinId, level: Level) {
        self.catch_up(around);
        let [mosi, select, reset, regulator, sck] = self.pins;
        let is_high = level == Level::High;
        if pin == select {
            self.select(level == Level::Low);
        } else if pin == reset {
            self.chip.hold(around, level == Level::Low);
        } else if pin == regulator {
            self.is_enabled = is_high;
            if self.is_alive() {
                self.chip.regulate(around, is_high);
            }
        } else if pin == mosi {
            self.bits.data = is_high;
        } else if pin == sck
            && let Edge::Byte(byte) = self.bits.clock(is_high)
            && self.listens(around)
        {
            self.take(around, byte);
        }
        self.settle(around);
    }

    fn transfer(&mut self, around: &mut Surroundings<'_>, pin: PinId, transfer: Transfer) {
        self.catch_up(around);
        let Transfer::Spi(word) = transfer else { return };
        if pin != self.pins[0] || !self.listens(around) {
            return;
        }
        if let Some(what) = spi::complaint(&word, MODES, FASTEST_HZ) {
            let text = format!("does not understand {what}");
            return self.chip.mismatch(around, Mismatch::Bus, &text);
        }
        if self.is_alive() {
            self.chip.catch_up(around);
        }
        let byte = self.chip.output(around);
        let reply = Reply::Word(self.fitness.sent(byte).into());
        around.acts.push(Act::Drive(Input::Reply { pin: self.miso, reply }));
        self.byte = Some((around.now + word.length(), word.data as u8));
        self.settle(around);
    }

    fn due(&self) -> Time {
        let byte = self.byte.map_or(Time::NEVER, |(end, _)| end);
        if self.is_alive() { byte.min(self.chip.due()) } else { byte }
    }

    fn fire(&mut self, around: &mut Surroundings<'_>) {
        self.proceed(around);
        self.settle(around);
    }

    fn acts_on_air(&self, next: Time) -> Time {
        self.chip.acts_on_air(next)
    }

    fn receive(&mut self, around: &mut Surroundings<'_>, reception: &Reception) {
        self.catch_up(around);
        self.chip.demodulator.hear(reception, around.now);
        self.settle(around);
    }

    fn meets(&self, transmission: &Transmission, power: i32) -> Option<Meeting> {
        let sends = self.chip.state.sends();
        let meets = self.chip.demodulator.meets(&self.chip.tuning(), transmission, power);
        Some(if sends && meets != Meeting::TooWeak { Meeting::Sends } else { meets })
    }

    fn consumption(&self) -> Option<Consumption> {
        Some(Consumption { part: TABLE, state: self.state() })
    }

    fn save(&self) -> Vec<u8> {
        device::save(self)
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), NotItsState> {
        device::load(self, saved)
    }

    fn stimulate(&mut self, around: &mut Surroundings<'_>, stimulus: &Stimulus) -> bool {
        let Stimulus::Condition(condition) = stimulus else { return false };
        self.catch_up(around);
        self.condition(around, *condition);
        true
    }
}

#[cfg(test)]
mod tests;
