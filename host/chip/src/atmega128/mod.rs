// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Atmel ATmega128.

mod ac;
mod activity;
mod adc;
mod analog;
#[cfg(test)]
mod bench;
mod blocks;
mod boot;
mod bus;
mod chip;
mod clocks;
mod core;
mod eeprom;
mod exint;
mod fuses;
mod map;
mod mcu;
mod part;
mod peripheral;
mod pins;
mod port;
mod program;
mod sleep;
mod soc;
mod spi;
mod state;
#[cfg(test)]
mod tests;
mod timer;
mod twi;
mod usart;
mod wdt;

use crate::{Config, Output, PinId, Stop, Time};
pub(crate) use activity::component_states;
use fuses::Meaning;
use lichen_isa::avr8::{self, Core, Memory};
use part::{DATA_END, FLASH, PARTS, Part};
use peripheral::ResetCause;
use sleep::Mode;
use soc::Soc;

/// What the core is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum State {
    /// No power.
    Off,
    /// Reset; the processor begins at this time.
    Starting(Time),
    /// It executes.
    Running,
    /// It sleeps. Besides what wakes from the mode, requests that it fell asleep with do.
    Asleep { mode: Mode, requests: u64 },
    /// Something has woken it; its clock starts at this time.
    Waking(Mode, Time),
}

/// An ATmega128 of any part number.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Atmega128 {
    #[borsh(
        serialize_with = "crate::row::serialize",
        deserialize_with = "crate::row::deserialize"
    )]
    part: &'static Part,
    core: Core,
    memory: Memory,
    soc: Soc,
    state: State,
    now: Time,
    asleep: Time,
    asleep_since: Time,
}

/// Part numbers of the family.
pub(crate) fn part_names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|part| part.name)
}

/// Pins of the part with this number, by port: six of eight, and one of five.
pub(crate) fn pins(name: &str) -> Option<&'static [u32]> {
    let is_one = PARTS.iter().any(|part| part.name.eq_ignore_ascii_case(name));
    is_one.then_some(&[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F])
}

/// Those that its converter reaches.
pub(crate) fn analog_pins(name: &str) -> Option<Vec<PinId>> {
    pins(name)?;
    let is_analog = |alternate: &&pins::Alternate| matches!(alternate.signal, pins::Signal::Adc(_));
    Some(pins::ALTERNATES.iter().filter(is_analog).map(|alternate| alternate.pin).collect())
}

impl Atmega128 {
    /// The chip with this part number on a board described by `config`, if there is one.
    pub fn by_part(name: &str, config: &Config) -> Option<Atmega128> {
        let part = PARTS.iter().find(|part| part.name.eq_ignore_ascii_case(name))?;
        Some(Atmega128 {
            part,
            core: Core::new(),
            memory: Memory::new(FLASH, DATA_END),
            soc: Soc::new(config),
            state: State::Off,
            now: Time::ZERO,
            asleep: Time::ZERO,
            asleep_since: Time::ZERO,
        })
    }

    fn executes(&self) -> bool {
        self.state == State::Running
    }

    /// Serves what is due by now.
    fn serve(&mut self) {
        self.soc.serve(self.now, self.core.cycle().0);
    }

    /// Lets the core run until `until`.
    fn execute(&mut self, until: Time) -> Option<Stop> {
        self.watch_fetch();
        let limit = self.soc.clocks.cycle_at_or_after(until);
        let stop = self.core.run(&mut self.memory, &mut self.soc, lichen_isa::Cycle(limit));
        self.after(stop)
    }

    /// Looks at the next instruction, if it may lie in flash that cannot be read.
    fn watch_fetch(&mut self) {
        self.soc.watch_fetch(self.now, self.core.cycle().0, self.core.pc());
    }

    /// Handles the end of a run of the core.
    fn after(&mut self, stop: avr8::Stop) -> Option<Stop> {
        self.now = self.now.max(self.soc.clocks.time(self.core.cycle().0));
        self.serve();
        if let Some(boot) = self.soc.take_vectors() {
            let start = if boot { self.soc.fuses().boot_start() } else { 0 };
            self.core.set_vector_base(start);
        }
        match stop {
            avr8::Stop::Reached => {}
            avr8::Stop::Sleep => self.fall_asleep(),
            avr8::Stop::Breakpoint => return Some(Stop::Breakpoint),
            avr8::Stop::StackOverflow(overflow) => {
                self.soc.output(self.now, Output::StackOverflow(overflow));
            }
            avr8::Stop::Exception => {
                let number = self.core.active_exception();
                self.soc.output(self.now, Output::Exception { number });
            }
        }
        None
    }

    fn fall_asleep(&mut self) {
        let mode = self.soc.blocks.mcu.sleep_mode().unwrap_or(Mode::Idle);
        self.asleep_since = self.now;
        self.soc.output(self.now, Output::Sleep { mode: mode.name() });
        self.soc.set_mode(self.now, self.core.cycle().0, mode);
        self.state = State::Asleep { mode, requests: self.soc.requests() };
        self.show_lines();
    }

    /// Shows the interrupt requests to the core, which looks at them by itself only while it
    /// executes; of one that sleeps, those that may wake it.
    fn show_lines(&mut self) {
        let waking = match self.state {
            State::Asleep { mode, requests } => mode.woken_by() | requests,
            _ => u64::MAX,
        };
        self.core.set_lines(self.soc.requests() & waking);
    }

    /// Lets time pass until `until` or until something happens, without execution.
    fn pass(&mut self, until: Time) {
        let next = self.next_step().min(until).max(self.now);
        self.now = next;
        if self.soc.clocks.io_runs() {
            let cycle = self.soc.clocks.cycle_until(next);
            self.core.advance(cycle.saturating_sub(self.core.cycle().0));
        }
        self.serve();
        self.show_lines();
        match self.state {
            State::Asleep { mode, .. } if self.core.wake_pending() => {
                self.state = State::Waking(mode, self.clock_starts(mode));
            }
            State::Waking(mode, at) if at <= self.now => self.wake_up(mode),
            State::Starting(at) if at <= self.now => self.begin(),
            _ => {}
        }
    }

    /// When something happens next while nothing is executed.
    fn next_step(&self) -> Time {
        match self.state {
            State::Asleep { .. } if self.core.wake_pending() => self.now,
            State::Waking(_, at) | State::Starting(at) => self.soc.next_due().min(at),
            State::Off => Time::NEVER,
            _ => self.soc.next_due(),
        }
    }

    /// When the processor's clock runs after a wake-up that begins now.
    fn clock_starts(&self, mode: Mode) -> Time {
        let clocks = &self.soc.clocks;
        if clocks.io_runs() {
            clocks.time(clocks.cycle_at_or_after(self.now))
        } else {
            self.now + clocks.wake_time(mode, self.soc.blocks.mcu.osccal())
        }
    }

    fn wake_up(&mut self, mode: Mode) {
        let request = self.core.requests(self.soc.requests() & mode.woken_by()).trailing_zeros();
        self.state = State::Running;
        self.soc.set_mode(self.now, self.core.cycle().0, Mode::Active);
        self.show_lines();
        self.core.wake_up(0);
        self.asleep += self.now - self.asleep_since;
        let exception = (request < u64::BITS).then_some(request);
        self.soc.output(self.now, Output::Wake { exception });
    }

    /// The processor begins to execute after a reset.
    fn begin(&mut self) {
        self.state = State::Running;
        self.soc.set_mode(self.now, self.core.cycle().0, Mode::Active);
    }

    /// The supply fails: pins are released, and only flash, EEPROM and fuses keep what they hold.
    fn lose_power(&mut self) {
        self.end_sleep();
        self.state = State::Off;
        self.soc.note_power(self.now, false);
        self.soc.power_off(self.now, self.core.cycle().0);
        self.show_lines();
        self.memory.forget_sram();
    }

    fn end_sleep(&mut self) {
        if matches!(self.state, State::Asleep { .. } | State::Waking(..)) {
            self.asleep += self.now - self.asleep_since;
        }
    }

    fn reset(&mut self, cause: ResetCause) {
        self.end_sleep();
        self.soc.reset(self.now, cause, self.core.cycle().0);
        self.soc.note_power(self.now, true);
        let fuses = self.soc.fuses();
        self.core.reset(if fuses.boots_loader() { fuses.boot_start() } else { 0 });
        self.start();
        if !self.soc.clocks.has_source() {
            self.soc.warn_of_no_clock(self.now);
        }
    }

    /// The processor begins after its start-up time, if it has a clock, and its supply is not too low.
    fn start(&mut self) {
        self.state = State::Starting(if self.soc.clocks.has_source() && !self.soc.is_low {
            self.now + self.soc.clocks.reset_time(self.soc.blocks.mcu.osccal())
        } else {
            Time::NEVER
        });
    }

    /// What must be reported before time continues, if anything.
    fn interruption(&mut self) -> Option<Stop> {
        if let Some(cause) = self.soc.take_reset() {
            self.reset(cause);
        }
        self.soc.has_outputs().then_some(Stop::Output)
    }
}
