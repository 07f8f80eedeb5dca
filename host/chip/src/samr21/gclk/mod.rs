// SPDX-License-Identifier: MIT OR Apache-2.0
//! GCLK: nine generators, thirty-seven generic clocks (data sheet, "GCLK - Generic Clock
//! Controller"). The clocks themselves are computed by the clock tree (`clocks`) from the registers
//! here.

use super::register::{self, Access, At, Bank, Choice, Register, choice, ro, rw, up_to};
use crate::clock::Clock;
use crate::samr21::peripheral::{Context, Effect, PadInput, Peripheral, ResetKind, Signal};
use crate::samr21::sync::Synchronizer;
use crate::{Time, WarningKind};
use lichen_isa::Width;

/// Number of generators.
pub(crate) const GENERATORS: usize = 9;
/// Number of generic clocks.
pub(crate) const CHANNELS: usize = 37;

/// Number of generators that a pin can clock.
const INPUTS: usize = 8;

const BRIDGE: u8 = 0;
const CHANNEL_WDT: usize = 3;
const CHANNEL_RTC: usize = 4;

const SYNCBUSY: u32 = 1 << 7;
const CLKEN: u16 = 1 << 14;
const WRTLOCK: u16 = 1 << 15;
const CLKCTRL_MASK: u32 = 0xCF3F;
const GENEN: u32 = 1 << 16;
const DIVSEL: u32 = 1 << 20;
const RUNSTDBY: u32 = 1 << 21;
const GENCTRL_MASK: u32 = 0x003F_1F0F;
const GENDIV_MASK: u32 = 0x00FF_FF0F;

/// Generator 0 after every reset: OSC8M, undivided.
const GENCTRL_MAIN: u32 = 0x0001_0600;
/// Generator 2 after power-on: OSCULP32K by 32, for the watchdog.
const GENCTRL_WATCHDOG: u32 = GENEN | DIVSEL | 0x0300;
const GENDIV_WATCHDOG: u32 = 4 << 8;
/// The watchdog's generic clock after power-on: generator 2.
const CLKCTRL_WATCHDOG: u16 = 0x0200;

/// GENCTRL.SRC, and OE: no clock goes out through a pin.
const GENCTRL_CHOICES: &[Choice] =
    &[choice(8, 5, up_to(8)), choice(19, 1, up_to(1)).lacking(1 << 1)];

#[derive(Clone, Copy)]
pub(crate) enum Id {
    Ctrl,
    Status,
    ClkCtrl,
    GenCtrl,
    GenDiv,
}

static REGISTERS: &[Register<Id>] = &[
    Register {
        id: Id::Ctrl,
        offset: 0,
        width: Width::Byte,
        count: 1,
        mask: 1,
        access: Access::ReadWrite,
        choices: &[],
    },
    ro(Id::Status, 1, Width::Byte),
    rw(Id::ClkCtrl, 2, Width::Half, CLKCTRL_MASK),
    rw(Id::GenCtrl, 4, Width::Word, GENCTRL_MASK).choosing(GENCTRL_CHOICES),
    rw(Id::GenDiv, 8, Width::Word, GENDIV_MASK),
];

/// The block.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Gclk {
    /// GENCTRL and GENDIV of each generator, without ID.
    generator_control: [u32; GENERATORS],
    generator_division: [u32; GENERATORS],
    /// CLKCTRL of each generic clock, without ID.
    channel_control: [u16; CHANNELS],
    /// Which of them the indirect registers show.
    selected_channel: usize,
    selected_control: usize,
    selected_division: usize,
    sync: Synchronizer,
    /// The generator whose GENCTRL was written last, while it waits for its source to start, and
    /// when the source may have started.
    switching: Option<(usize, Time)>,
    /// The generators' present outputs, for synchronization.
    outputs: [Option<Clock>; GENERATORS],
    /// The clocks on pins that carry GCLK_IO, by number.
    inputs: [Option<Clock>; INPUTS],
    /// The watchdog runs from power-on (user row).
    watchdog_on: bool,
}

impl Gclk {
    pub fn new() -> Gclk {
        Gclk {
            generator_control: [0; GENERATORS],
            generator_division: [0; GENERATORS],
            channel_control: [0; CHANNELS],
            selected_channel: 0,
            selected_control: 0,
            selected_division: 0,
            sync: Synchronizer::default(),
            switching: None,
            outputs: [None; GENERATORS],
            inputs: [None; INPUTS],
            watchdog_on: false,
        }
    }

    /// Reads from the first word of the user row whether the watchdog runs from power-on.
    pub fn set_fuses(&mut self, fuses: [u32; 2]) {
        self.watchdog_on = fuses[0] & (1 << 25 | 1 << 26) != 0;
    }

    /// Whether the generator is enabled, and whether it runs in standby by itself.
    pub fn generator_enabled(&self, generator: usize) -> bool {
        self.generator_control[generator] & GENEN != 0
    }

    /// Whether the generator runs in standby without a request.
    pub fn runs_in_standby(&self, generator: usize) -> bool {
        self.generator_enabled(generator) && self.generator_control[generator] & RUNSTDBY != 0
    }

    /// Source of a generator (GENCTRL.SRC).
    pub fn source(&self, generator: usize) -> u8 {
        (self.generator_control[generator] >> 8) as u8 & 0x1F
    }

    /// The divider of a generator.
    pub fn division(&self, generator: usize) -> u64 {
        let bits = match generator {
            1 => 16,
            2 => 5,
            _ => 8,
        };
        let field = u64::from(self.generator_division[generator] >> 8) & ((1 << bits) - 1);
        if self.generator_control[generator] & DIVSEL != 0 {
            1 << (field.min(bits) + 1)
        } else {
            field.max(1)
        }
    }

    /// Generator of a generic clock, if that is enabled.
    pub fn channel_generator(&self, channel: usize) -> Option<usize> {
        let control = self.channel_control[channel];
        let generator = usize::from(control >> 8 & 0xF);
        (control & CLKEN != 0 && generator < GENERATORS).then_some(generator)
    }

    /// The clock on the pin of a generator (GCLKIN).
    pub fn input(&self, generator: usize) -> Option<Clock> {
        self.inputs.get(generator).copied().flatten()
    }

    /// Records the generators' state in the clock tree.
    pub fn set_outputs(&mut self, outputs: [Option<Clock>; GENERATORS]) {
        self.outputs = outputs;
    }

    /// The generator that waits for its source, if any.
    pub fn switching(&self) -> Option<usize> {
        self.switching.map(|(generator, _)| generator)
    }

    /// Records that the generator waits until `next` at least, or no longer.
    pub fn set_switching(&mut self, next: Option<Time>) {
        self.switching = self.switching().zip(next);
    }

    /// SYNCBUSY.
    fn is_busy(&self, now: Time) -> bool {
        self.switching.is_some() || self.sync.is_busy(now)
    }

    /// Stalls the bus while SYNCBUSY is set, and returns whether it does.
    fn stall(&self, cx: &mut Context<'_>) -> bool {
        match self.switching {
            Some((_, next)) if next > cx.now => {
                cx.out.stall(next);
                true
            }
            _ => self.sync.stall(cx.now, cx.out),
        }
    }

    fn is_locked(&self, generator: usize) -> bool {
        let uses =
            |control: &u16| control & WRTLOCK != 0 && usize::from(control >> 8 & 0xF) == generator;
        generator != 0 && self.channel_control.iter().any(uses)
    }

    /// Begins the synchronization with the clock that a write concerns. A clock that does not run
    /// needs none beyond the bus's own.
    fn synchronize(&mut self, cx: &mut Context<'_>, clock: Option<Clock>) {
        let bus = cx.clocks.bus(BRIDGE);
        self.sync.start(cx.now, clock.or(Some(bus)), bus);
        cx.out.push(Effect::Clocks);
    }

    fn write_channel(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let only_id = at.lanes & 0xFF00 == 0;
        let id = if at.lanes & 0xFF != 0 { value as usize & 0x3F } else { self.selected_channel };
        if id >= CHANNELS {
            // Firmware that switches all channels off goes through every number that fits.
            if value as u16 & CLKEN != 0 {
                cx.out.warn(WarningKind::Reserved);
            }
            return;
        }
        self.selected_channel = id;
        if only_id {
            return;
        }
        let old = self.channel_control[id];
        if old & WRTLOCK != 0 {
            return cx.out.warn(WarningKind::Protected);
        }
        let new = value as u16 & 0xCF00;
        if new & CLKEN != 0 && usize::from(new >> 8 & 0xF) >= GENERATORS {
            cx.out.warn(WarningKind::Reserved);
        }
        self.channel_control[id] = new;
        let generator = if old & CLKEN != 0 { old } else { new } >> 8 & 0xF;
        let clock = self.outputs.get(usize::from(generator)).copied().flatten();
        self.synchronize(cx, clock);
    }

    fn write_generator(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let is_control = matches!(at.id, Id::GenCtrl);
        let selected =
            if is_control { &mut self.selected_control } else { &mut self.selected_division };
        if at.lanes & 0xFF != 0 {
            let id = value as usize & 0xF;
            if id >= GENERATORS {
                return cx.out.warn(WarningKind::Reserved);
            }
            *selected = id;
        }
        let id = *selected;
        if at.lanes & !0xFF == 0 {
            return;
        }
        if self.is_locked(id) {
            return cx.out.warn(WarningKind::Protected);
        }
        let registers =
            if is_control { &mut self.generator_control } else { &mut self.generator_division };
        registers[id] = at.merge(registers[id], value) & !0xFF;
        if is_control {
            self.switching = Some((id, cx.now));
        }
        self.synchronize(cx, self.outputs[id]);
    }

    /// Reset of all that is not write-locked; `keep_rtc` also keeps the RTC's clock.
    fn restore(&mut self, keep_rtc: bool) {
        let locked: Vec<bool> = (0..GENERATORS).map(|g| self.is_locked(g)).collect();
        let rtc = self.channel_generator(CHANNEL_RTC).filter(|_| keep_rtc);
        for (generator, locked) in locked.into_iter().enumerate() {
            if generator != 0 && (locked || rtc == Some(generator)) {
                continue;
            }
            let (control, division) = match generator {
                0 => (GENCTRL_MAIN, 0),
                2 => (GENCTRL_WATCHDOG, GENDIV_WATCHDOG),
                _ => (0, 0),
            };
            self.generator_control[generator] = control;
            self.generator_division[generator] = division;
        }
        let watchdog = CLKCTRL_WATCHDOG | if self.watchdog_on { CLKEN } else { 0 };
        for (channel, control) in self.channel_control.iter_mut().enumerate() {
            if *control & WRTLOCK != 0 || channel == CHANNEL_RTC && keep_rtc {
                continue;
            }
            *control = if channel == CHANNEL_WDT { watchdog } else { 0 };
        }
        self.selected_channel = 0;
        self.selected_control = 0;
        self.selected_division = 0;
    }
}

impl Bank for Gclk {
    type Id = Id;

    fn registers(&self) -> &'static [Register<Id>] {
        REGISTERS
    }

    fn load(&mut self, cx: &mut Context<'_>, at: At<Id>) -> u32 {
        match at.id {
            Id::Ctrl => 0,
            Id::Status => {
                if self.is_busy(cx.now) {
                    SYNCBUSY
                } else {
                    0
                }
            }
            Id::ClkCtrl => {
                let channel = self.selected_channel;
                u32::from(self.channel_control[channel]) | channel as u32
            }
            Id::GenCtrl => {
                self.generator_control[self.selected_control] | self.selected_control as u32
            }
            Id::GenDiv => {
                self.generator_division[self.selected_division] | self.selected_division as u32
            }
        }
    }

    fn holds_until(&self, now: Time, at: At<Id>) -> Time {
        match at.id {
            Id::Status => self.sync.holds_until(now),
            Id::ClkCtrl | Id::GenCtrl => Time::NEVER,
            _ => Time::ZERO,
        }
    }

    fn store(&mut self, cx: &mut Context<'_>, at: At<Id>, value: u32) {
        let selects_only = at.lanes & !0xFF == 0 && !matches!(at.id, Id::Ctrl);
        if !selects_only && self.stall(cx) {
            return;
        }
        match at.id {
            Id::Ctrl if value & 1 != 0 => {
                self.restore(false);
                self.synchronize(cx, self.outputs[0]);
            }
            Id::ClkCtrl => self.write_channel(cx, at, value),
            Id::GenCtrl | Id::GenDiv => self.write_generator(cx, at, value),
            Id::Ctrl | Id::Status => {}
        }
    }
}

impl Peripheral for Gclk {
    register::answer_by_registers!();

    fn pad_input(&mut self, cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        let (Signal::GclkIo(io), PadInput::Clock(millihertz)) = (signal, input) else { return };
        if let Some(input) = self.inputs.get_mut(usize::from(io)) {
            let runs = millihertz != 0;
            *input = runs.then(|| Clock::from_millihertz(cx.now, millihertz));
            cx.out.push(Effect::Clocks);
        }
    }

    fn reset(&mut self, cx: &mut Context<'_>, kind: ResetKind) {
        if kind == ResetKind::Power {
            self.channel_control = [0; CHANNELS];
        }
        self.restore(kind == ResetKind::User);
        self.sync.reset();
        self.switching = None;
        self.inputs = [None; INPUTS];
        cx.out.push(Effect::Clocks);
    }
}

#[cfg(test)]
mod tests;
