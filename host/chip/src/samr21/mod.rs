// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Atmel SAM R21.

mod activity;
mod adc;
#[cfg(test)]
mod bench;
mod blocks;
mod bus;
mod chip;
mod clocks;
mod core;
mod dmac;
mod dsu;
mod eic;
mod evsys;
mod factory;
mod gclk;
mod map;
mod matrix;
mod nvmctrl;
mod pac;
mod part;
mod peripheral;
mod pm;
mod port;
mod register;
mod rtc;
mod sercom;
mod sleep;
mod soc;
mod state;
mod stub;
mod sync;
mod sysctrl;
mod tc;
mod tcc;
#[cfg(test)]
mod tests;
mod ticks;
mod wdt;

use crate::samr21::peripheral::ResetCause;
use crate::{Config, OFF, OutOfMemory, Output, PinId, Stop, Time};
pub(crate) use activity::component_states;
use clocks::Power;
use lichen_isa::armv6m::{self, Core, Memory, Options, OutsideMemory, Wake};
use part::{INSIDE_B, PARTS, Part};
use sleep::SleepMode;
use soc::Soc;

/// What the core is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum State {
    /// No power.
    Off,
    /// It executes, or would if its clock ran.
    Running,
    /// It sleeps.
    Asleep(SleepMode),
    /// Something has woken it; its clock starts at this time.
    Waking(SleepMode, Time),
    /// It is locked up.
    Lockup,
    /// Its supply is so low that the brown-out detector holds it in reset.
    Held,
}

/// A SAM R21 of any part number.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Samr21 {
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

/// Pins of the part with this number, by port.
pub(crate) fn pins(name: &str) -> Option<&'static [u32]> {
    Some(&PARTS.iter().find(|part| part.name == name)?.pins)
}

/// Those that its converter reaches, and that lead out of the package.
pub(crate) fn analog_pins(name: &str) -> Option<Vec<PinId>> {
    let [a, b, c] = PARTS.iter().find(|part| part.name == name)?.pins;
    let outside = [a, b & !INSIDE_B, c];
    let is_outside = |pin: &PinId| outside[usize::from(pin.port)] >> pin.bit & 1 != 0;
    Some(port::analog_pins().filter(is_outside).collect())
}

impl Samr21 {
    /// The chip with this part number on a board described by `config`, if there is one.
    pub fn by_part(name: &str, config: &Config) -> Option<Samr21> {
        let part = PARTS.iter().find(|part| part.name == name)?;
        let mut core = Core::new(Options::default());
        core.set_vector_catch(true);
        Some(Samr21 {
            part,
            core,
            memory: Memory::new(part.flash, part.ram),
            soc: Soc::new(part, config),
            state: State::Off,
            now: Time::ZERO,
            asleep: Time::ZERO,
            asleep_since: Time::ZERO,
        })
    }

    fn outside(&self, range: OutsideMemory) -> OutOfMemory {
        OutOfMemory { address: range.address, end: range.end, part: self.part.name }
    }

    fn executes(&self) -> bool {
        self.state == State::Running && self.soc.tree.main_runs() && !self.soc.hung
    }

    /// Serves what is due by now.
    fn serve(&mut self) {
        self.soc.serve(&mut self.memory, self.now, self.core.cycle());
    }

    /// Lets the core run until `until`, with its clock running.
    fn execute(&mut self, until: Time) -> Option<Stop> {
        let limit = self.soc.timeline.cycle_at_or_after(until);
        let stop = self.core.run(&mut self.memory, &mut self.soc, limit);
        self.after(stop)
    }

    /// Handles the end of a run of the core.
    fn after(&mut self, stop: armv6m::Stop) -> Option<Stop> {
        self.now = self.now.max(self.soc.timeline.time(self.core.cycle()));
        self.serve();
        match stop {
            armv6m::Stop::Reached => {}
            armv6m::Stop::Sleep { deep } => self.fall_asleep(deep),
            armv6m::Stop::Breakpoint => return Some(Stop::Breakpoint),
            armv6m::Stop::HardFault => self.report_fault(),
            armv6m::Stop::StackOverflow(overflow) => {
                self.soc.output(self.now, Output::StackOverflow(overflow));
            }
            armv6m::Stop::Exception => {
                let number = self.core.active_exception();
                self.soc.output(self.now, Output::Exception { number });
            }
            armv6m::Stop::Lockup => self.lock_up(),
            armv6m::Stop::ResetRequest => self.soc.request_reset(ResetCause::System),
        }
        None
    }

    fn fall_asleep(&mut self, deep: bool) {
        let mode = if deep {
            SleepMode::Standby
        } else {
            SleepMode::Idle(self.soc.blocks.pm.idle_mode() as usize)
        };
        self.state = State::Asleep(mode);
        self.asleep_since = self.now;
        self.soc.output(self.now, Output::Sleep { mode: mode.name() });
        let cycle = self.core.cycle();
        self.soc.note_mode(self.now, self.mode());
        self.soc.set_power(&mut self.memory, self.now, mode.power(), false, cycle);
        self.show_lines();
    }

    /// The processor's mode; it wakes up in the mode that it leaves.
    fn mode(&self) -> &'static str {
        match self.state {
            State::Asleep(mode) | State::Waking(mode, _) => mode.name(),
            State::Running | State::Lockup => activity::ACTIVE,
            // Without a clock, and with the regulator.
            State::Held => SleepMode::Standby.name(),
            State::Off => OFF,
        }
    }

    /// Shows the interrupt lines to the core, which checks them by itself only while it executes.
    fn show_lines(&mut self) {
        self.core.set_lines(self.soc.lines);
        self.core.set_nmi(self.soc.nmi);
    }

    fn report_fault(&mut self) {
        if let Some(fault) = self.core.first_fault() {
            let reason = fault.kind.reason();
            self.soc.output(self.now, Output::Fault { pc: fault.pc, reason });
        }
    }

    fn lock_up(&mut self) {
        self.state = State::Lockup;
        let fault = self.core.last_fault();
        let pc = fault.map_or(0, |fault| fault.pc);
        let reason = fault.map_or("no vector", |fault| fault.kind.reason());
        self.soc.output(self.now, Output::Lockup { pc, reason });
    }

    /// Lets time pass until `until` or until something happens, without execution.
    fn pass(&mut self, until: Time) {
        let mut next = until.min(self.soc.next_due()).max(self.now);
        if matches!(self.state, State::Asleep(_)) && self.core.wake_pending() {
            next = self.now;
        }
        if let State::Waking(_, at) = self.state {
            next = next.min(at.max(self.now));
        }
        let counts = self.core_clock_counts();
        if counts && matches!(self.state, State::Asleep(_)) {
            let tick = self.soc.timeline.time_or_never(self.core.next_internal_event());
            next = next.min(tick.max(self.now));
        }
        self.now = next;
        if counts {
            let cycle = self.soc.timeline.cycle_until(next);
            self.core.advance(cycle - self.core.cycle());
        }
        self.serve();
        self.show_lines();
        match self.state {
            State::Asleep(mode) if self.core.wake_pending() => {
                self.state = State::Waking(mode, self.now + mode.wake_time());
            }
            State::Waking(mode, at) if at <= self.now => self.wake_up(mode),
            State::Lockup if self.core.wake_pending() => self.state = State::Running,
            _ => {}
        }
    }

    /// Whether the core's cycles, and SysTick, continue while it does not execute.
    fn core_clock_counts(&self) -> bool {
        match self.state {
            State::Asleep(mode) | State::Waking(mode, _) => mode != SleepMode::Standby,
            State::Lockup => self.soc.tree.main_runs(),
            State::Running => self.soc.hung && self.soc.tree.main_runs(),
            State::Off | State::Held => false,
        }
    }

    fn wake_up(&mut self, mode: SleepMode) {
        let memory = &mut self.memory;
        let standby = mode == SleepMode::Standby;
        let cycle = self.core.cycle();
        self.soc.set_power(memory, self.now, Power::Active, standby, cycle);
        if standby {
            self.soc.resume(memory, self.now, cycle);
        }
        let stop = self.core.run(memory, &mut self.soc, cycle);
        if let armv6m::Stop::Sleep { .. } = stop {
            // The cause of the wake-up has gone.
            self.state = State::Asleep(mode);
            self.soc.set_power(memory, self.now, mode.power(), false, cycle);
            return;
        }
        self.state = State::Running;
        self.soc.note_mode(self.now, self.mode());
        self.asleep += self.now - self.asleep_since;
        let exception = match self.core.woken_by() {
            Some(Wake::Exception(number)) => Some(number),
            Some(Wake::Event) | None => None,
        };
        self.soc.output(self.now, Output::Wake { exception });
    }

    /// The supply fails: pins are released, and nothing but flash keeps what it holds.
    fn lose_power(&mut self) {
        self.end_sleep();
        self.state = State::Off;
        self.soc.note_mode(self.now, self.mode());
        self.soc.power_off(&mut self.memory, self.now, self.core.cycle());
        self.soc.note_all(self.now);
        self.show_lines();
        self.memory.forget_ram();
    }

    fn end_sleep(&mut self) {
        if matches!(self.state, State::Asleep(_) | State::Waking(..)) {
            self.asleep += self.now - self.asleep_since;
        }
    }

    fn reset(&mut self, cause: ResetCause) {
        self.end_sleep();
        self.soc.reset(&mut self.memory, self.now, cause, self.core.cycle());
        self.state =
            if self.soc.blocks.sysctrl.holds_reset() { State::Held } else { State::Running };
        self.soc.note_mode(self.now, self.mode());
        self.soc.note_all(self.now);
        // Lines that the reset has cleared are low when the controller checks them.
        self.show_lines();
        self.core.reset(&self.memory);
    }

    /// The supply is another one: what the detector held in reset may begin.
    fn follow_supply(&mut self) {
        if self.state == State::Held && !self.soc.blocks.sysctrl.holds_reset() {
            self.state = State::Running;
            self.soc.resume(&mut self.memory, self.now, self.core.cycle());
            self.soc.note_mode(self.now, self.mode());
            self.core.reset(&self.memory);
        }
    }

    /// What must be reported before time continues, if anything.
    fn interruption(&mut self) -> Option<Stop> {
        if let Some(cause) = self.soc.take_reset() {
            self.reset(cause);
        }
        self.soc.has_outputs().then_some(Stop::Output)
    }
}
