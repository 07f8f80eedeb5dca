// SPDX-License-Identifier: MIT OR Apache-2.0
//! ADC: the converter (data sheet, chapter "ADC - Analog-to-Digital Converter").

mod convert;
mod registers;
#[cfg(test)]
mod tests;

use super::register;
use crate::clock::Clock;
use crate::noise::Noise;
use crate::samr21::peripheral::{
    Context, Effect, PadInput, PadOutput, Peripheral, ResetKind, Signal,
};
use crate::samr21::sync::Crossing;
use crate::{OFF, Reply, Time, WarningKind};
use convert::{Settings, Voltages};

/// Bridge of the peripheral bus that the ADC is on (C).
const BRIDGE: u8 = 2;
/// Offsets exempt from write protection: INTFLAG.
const EXEMPT: std::ops::Range<u32> = 0x18..0x19;
/// Generic clock channel.
const CHANNEL: u8 = 30;
/// Event users and generators, DMA trigger.
const USER_START: u8 = 23;
const USER_FLUSH: u8 = 24;
const GENERATOR_RESULT: u8 = 66;
const GENERATOR_WINDOW: u8 = 67;
const TRIGGER_RESULT: u8 = 39;

/// CTRLA.
const SWRST: u8 = 1 << 0;
const ENABLE: u8 = 1 << 1;
const RUNSTDBY: u8 = 1 << 2;
/// SWTRIG.
const FLUSH: u8 = 1 << 0;
const START: u8 = 1 << 1;
/// EVCTRL.
const STARTEI: u8 = 1 << 0;
const SYNCEI: u8 = 1 << 1;
const RESRDYEO: u8 = 1 << 4;
const WINMONEO: u8 = 1 << 5;
/// INTFLAG.
const RESRDY: u8 = 1 << 0;
const OVERRUN: u8 = 1 << 1;
const WINMON: u8 = 1 << 2;
const SYNCRDY: u8 = 1 << 3;

/// The crossing into the generic clock's domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Command {
    Reset,
    Enable,
    Trigger(u8),
    /// A setting, which has no effect by itself.
    Setting,
    /// A read of INPUTCTRL or RESULT.
    Read,
}

/// The converter.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Adc {
    ctrla: u8,
    settings: Settings,
    winctrl: u8,
    winlt: u16,
    winut: u16,
    evctrl: u8,
    calib: u16,
    dbgctrl: u8,
    enabled_interrupts: u8,
    flags: u8,
    result: u16,
    /// RESULT has not been read yet.
    unread: bool,
    crossing: Crossing<Command>,
    /// A synchronized read is complete, and its access is about to be repeated.
    read_done: bool,
    running: bool,
    clock: Option<Clock>,
    /// When the conversion under way takes its first sample, and when it is complete; and whether
    /// there is one while the clock is stopped.
    sample: Time,
    done: Time,
    converting: bool,
    voltages: Voltages,
}

impl Adc {
    /// The converter after reset.
    pub fn new() -> Adc {
        Adc {
            ctrla: 0,
            settings: Settings::default(),
            winctrl: 0,
            winlt: 0,
            winut: 0,
            evctrl: 0,
            calib: 0,
            dbgctrl: 0,
            enabled_interrupts: 0,
            flags: 0,
            result: 0,
            unread: false,
            crossing: Crossing::default(),
            read_done: false,
            running: false,
            clock: None,
            sample: Time::NEVER,
            done: Time::NEVER,
            converting: false,
            voltages: Voltages::default(),
        }
    }

    fn cross(&mut self, cx: &mut Context<'_>, command: Command) {
        let clock = cx.clocks.generic(CHANNEL);
        if clock.is_none() {
            cx.out.warn(WarningKind::CoreUnclocked);
        }
        self.crossing.start(cx.now, clock, cx.clocks.bus(BRIDGE), command);
    }

    fn waits(&self, cx: &mut Context<'_>) -> bool {
        self.crossing.stall(cx.now, cx.out)
    }

    fn apply(&mut self, cx: &mut Context<'_>, command: Command) {
        match command {
            Command::Reset => {
                let Adc { crossing, clock, voltages, .. } = *self;
                *self = Adc { crossing, clock, voltages, ..Adc::new() };
                cx.out.trigger(TRIGGER_RESULT, false);
            }
            Command::Enable => {
                self.running = self.ctrla & ENABLE != 0;
                self.stop();
            }
            Command::Trigger(bits) => {
                if bits & FLUSH != 0 {
                    self.stop();
                }
                if bits & START != 0 {
                    self.start(cx.now);
                }
            }
            Command::Setting | Command::Read => {}
        }
    }

    fn stop(&mut self) {
        self.converting = false;
        (self.sample, self.done) = (Time::NEVER, Time::NEVER);
    }

    /// Starts a conversion, unless one is under way.
    fn start(&mut self, now: Time) {
        if self.running && !self.converting {
            self.converting = true;
            self.plan(now);
        }
    }

    /// Plans the end of a conversion that starts now, on edges of the converter's own clock.
    fn plan(&mut self, now: Time) {
        // Half cycles of a divided clock are whole cycles of one divided by half as much.
        let half = self.clock.map(|clock| clock.divided(self.settings.divider() / 2));
        let after = |halves| half.map_or(Time::NEVER, |half| half.nth_after(now, halves));
        self.sample = after(self.settings.sampling_half_cycles());
        self.done = after(self.settings.half_cycles());
    }

    /// Devices may say which voltages are sampled.
    fn ask(&mut self, cx: &mut Context<'_>) {
        self.sample = Time::NEVER;
        for pin in self.settings.sampled_pins().into_iter().flatten() {
            cx.out.pad(Signal::Adc(pin), PadOutput::Sample);
        }
        if self.settings.uses_supply() {
            cx.out.push(Effect::SampleSupply);
        }
    }

    /// The noise of what is converted, from now on.
    pub fn set_noise(&mut self, noise: Noise) {
        self.voltages.noise = noise;
    }

    /// The supply, from now on.
    pub fn set_supply(&mut self, microvolts: u32) {
        self.voltages.supply = microvolts;
    }

    fn finish(&mut self, cx: &mut Context<'_>) {
        self.stop();
        let scan = self.settings.inputctrl >> 16 & 0xF;
        let offset = self.settings.offset();
        let value = self.settings.result(&self.voltages, offset, cx.now);
        self.result = value as u16;
        let next = if offset < scan { offset + 1 } else { 0 };
        self.settings.inputctrl = self.settings.inputctrl & !(0xF << 20) | next << 20;
        if std::mem::replace(&mut self.unread, true) {
            self.flags |= OVERRUN;
        }
        self.flags |= RESRDY;
        cx.out.trigger(TRIGGER_RESULT, true);
        if self.evctrl & RESRDYEO != 0 {
            cx.out.event(GENERATOR_RESULT);
        }
        if self.is_in_window(value) {
            self.flags |= WINMON;
            if self.evctrl & WINMONEO != 0 {
                cx.out.event(GENERATOR_WINDOW);
            }
        }
        // A scan goes through all its inputs by itself.
        if self.settings.runs_freely() || next != 0 {
            self.start(cx.now);
        }
    }

    /// WINCTRL.WINMODE.
    fn is_in_window(&self, value: i32) -> bool {
        let bound = |register: u16| {
            if self.settings.is_differential() { register as i16 as i32 } else { register as i32 }
        };
        let (low, high) = (bound(self.winlt), bound(self.winut));
        match self.winctrl & 7 {
            1 => value > low,
            2 => value < high,
            3 => low < value && value < high,
            4 => !(low < value && value < high),
            _ => false,
        }
    }
}

impl Default for Adc {
    fn default() -> Adc {
        Adc::new()
    }
}

impl Peripheral for Adc {
    register::answer_by_registers!();

    fn due(&self) -> Time {
        self.crossing.due().min(self.sample).min(self.done)
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        if self.sample <= cx.now {
            self.ask(cx);
        } else if self.done <= cx.now {
            self.finish(cx);
        }
        if let Some(command) = self.crossing.arrive(cx.now) {
            self.apply(cx, command);
        }
        match self.crossing.finish(cx.now) {
            Some(Command::Read) => {
                self.read_done = true;
                self.flags |= SYNCRDY;
            }
            Some(Command::Setting | Command::Trigger(_)) => self.flags |= SYNCRDY,
            Some(Command::Reset | Command::Enable) | None => {}
        }
    }

    fn activity(&self) -> &'static str {
        if self.running { "on" } else { OFF }
    }

    fn irq(&self) -> bool {
        self.flags & self.enabled_interrupts != 0
    }

    fn interrupts(&self) -> bool {
        self.enabled_interrupts != 0
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        let clock = cx.clocks.generic(CHANNEL);
        self.crossing.clocks_changed(cx.now, clock, cx.clocks.bus(BRIDGE));
        if clock != self.clock {
            self.clock = clock;
            if self.converting {
                self.plan(cx.now);
            }
        }
    }

    fn wants_clock(&self, channel: u8) -> bool {
        channel == CHANNEL && self.ctrla & (ENABLE | RUNSTDBY) == ENABLE | RUNSTDBY
    }

    fn pad_input(&mut self, _cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        if let (
            Signal::Adc(pin),
            PadInput::Voltage(microvolts) | PadInput::Reply(Reply::Voltage(microvolts)),
        ) = (signal, input)
            && let Some(voltage) = self.voltages.pins.get_mut(pin as usize)
        {
            *voltage = microvolts;
        }
    }

    fn event(&mut self, cx: &mut Context<'_>, user: u8) {
        match user {
            USER_START if self.evctrl & STARTEI != 0 => self.start(cx.now),
            USER_FLUSH if self.evctrl & SYNCEI != 0 => {
                self.stop();
                self.start(cx.now);
            }
            _ => {}
        }
    }

    fn write_protected(&self, offset: u32) -> bool {
        !EXEMPT.contains(&offset)
    }

    fn reset(&mut self, cx: &mut Context<'_>, _kind: ResetKind) {
        let (voltages, clock) = (self.voltages, cx.clocks.generic(CHANNEL));
        *self = Adc { voltages, clock, ..Adc::new() };
    }
}
