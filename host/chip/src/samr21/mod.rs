// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Atmel SAM R21.

mod adc;
#[cfg(test)]
mod bench;
mod blocks;
mod bus;
mod clocks;
mod dmac;
mod dsu;
mod eic;
mod evsys;
mod factory;
mod gclk;
mod map;
mod matrix;
mod nvmctrl;
mod outline;
mod pac;
mod part;
mod pm;
mod port;
mod register;
mod rtc;
mod sercom;
mod soc;
mod sysctrl;
mod tc;
mod tcc;
#[cfg(test)]
mod tests;
mod ticks;
mod timeline;
mod wdt;

use crate::peripheral::ResetCause;
use crate::{Chip, Config, Input, MemoryInfo, OutOfMemory, Output, Stamped, Stop, Time};
use clocks::Power;
use lichen_isa::Cycle;
use lichen_isa::armv6m::{self, Core, Memory, Options, OutsideMemory, RAM_BASE, Wake};
use part::{PARTS, Part};
use soc::Soc;

/// Times from a wake-up's cause to the first edge of the processor's clock, by sleep mode (data
/// sheet, "Wake-Up Time", measured on OSC8M).
const WAKE_IDLE: [Time; 3] = [Time::from_ns(4_000), Time::from_ns(12_100), Time::from_ns(13_000)];
const WAKE_STANDBY: Time = Time::from_ns(19_600);

/// What the core is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No power.
    Off,
    /// It executes, or would if its clock ran.
    Running,
    /// It sleeps.
    Asleep(SleepMode),
    /// Something has woken it; its clock comes at this time.
    Waking(SleepMode, Time),
    /// It is locked up.
    Lockup,
}

/// A sleep mode: idle 0 to 2 (PM SLEEP.IDLE), or standby.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SleepMode {
    Idle(usize),
    Standby,
}

impl SleepMode {
    fn name(self) -> &'static str {
        match self {
            SleepMode::Idle(0) => "idle0",
            SleepMode::Idle(1) => "idle1",
            SleepMode::Idle(_) => "idle2",
            SleepMode::Standby => "standby",
        }
    }

    fn power(self) -> Power {
        match self {
            SleepMode::Idle(depth) => Power::Idle { buses: depth < 2 },
            SleepMode::Standby => Power::Standby,
        }
    }

    fn wake_time(self) -> Time {
        match self {
            SleepMode::Idle(depth) => WAKE_IDLE[depth.min(2)],
            SleepMode::Standby => WAKE_STANDBY,
        }
    }
}

/// A SAM R21 of any part number.
pub struct Samr21 {
    part: &'static Part,
    core: Core,
    memory: Memory,
    soc: Soc,
    state: State,
    now: Time,
    asleep: Time,
    asleep_since: Time,
    memories: [MemoryInfo; 2],
}

/// Part numbers of the family.
pub(crate) fn part_names() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|part| part.name)
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
            memories: [
                MemoryInfo { name: "flash", start: 0, size: part.flash as u32 },
                MemoryInfo { name: "RAM", start: RAM_BASE, size: part.ram as u32 },
            ],
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

    /// Deals with the end of a run of the core.
    fn after(&mut self, stop: armv6m::Stop) -> Option<Stop> {
        self.now = self.now.max(self.soc.timeline.time(self.core.cycle()));
        self.serve();
        match stop {
            armv6m::Stop::Reached => {}
            armv6m::Stop::Sleep { deep } => self.fall_asleep(deep),
            armv6m::Stop::Breakpoint => return Some(Stop::Breakpoint),
            armv6m::Stop::HardFault => self.report_hard_fault(),
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
        self.soc.set_power(&mut self.memory, self.now, mode.power(), false, cycle);
        self.show_lines();
    }

    /// Lets the core see the interrupt lines: where it does not execute it does not look by itself.
    fn show_lines(&mut self) {
        self.core.set_lines(self.soc.lines);
        self.core.set_nmi(self.soc.nmi);
    }

    fn report_hard_fault(&mut self) {
        if let Some(fault) = self.core.first_fault() {
            let reason = fault.kind.reason();
            self.soc.output(self.now, Output::HardFault { pc: fault.pc, reason });
        }
    }

    fn lock_up(&mut self) {
        self.state = State::Lockup;
        let fault = self.core.last_fault();
        let pc = fault.map_or(0, |fault| fault.pc);
        let reason = fault.map_or("no vector", |fault| fault.kind.reason());
        self.soc.output(self.now, Output::Lockup { pc, reason });
    }

    /// Lets time pass up to `until` or to the first thing that happens, without execution.
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

    /// Whether the core's cycles, and SysTick with them, go on while it does not execute.
    fn core_clock_counts(&self) -> bool {
        match self.state {
            State::Asleep(mode) | State::Waking(mode, _) => mode != SleepMode::Standby,
            State::Lockup => self.soc.tree.main_runs(),
            State::Running => self.soc.hung && self.soc.tree.main_runs(),
            State::Off => false,
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
            // What woke it is gone again.
            self.state = State::Asleep(mode);
            self.soc.set_power(memory, self.now, mode.power(), false, cycle);
            return;
        }
        self.state = State::Running;
        self.asleep += self.now - self.asleep_since;
        let exception = match self.core.woken_by() {
            Some(Wake::Exception(number)) => Some(number),
            Some(Wake::Event) | None => None,
        };
        self.soc.output(self.now, Output::Wake { exception });
    }

    fn reset(&mut self, cause: ResetCause) {
        if matches!(self.state, State::Asleep(_) | State::Waking(..)) {
            self.asleep += self.now - self.asleep_since;
        }
        self.state = State::Running;
        self.soc.reset(&mut self.memory, self.now, cause, self.core.cycle());
        self.core.reset(&self.memory);
        self.show_lines();
    }

    /// What is to be said before time goes on, if anything.
    fn interruption(&mut self) -> Option<Stop> {
        if let Some(cause) = self.soc.take_reset() {
            self.reset(cause);
        }
        self.soc.has_outputs().then_some(Stop::Output)
    }
}

impl Chip for Samr21 {
    fn part(&self) -> &'static str {
        self.part.name
    }

    fn memories(&self) -> &[MemoryInfo] {
        &self.memories
    }

    fn program(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutOfMemory> {
        if self.soc.blocks.nvmctrl.program_user_row(address, bytes) {
            return Ok(());
        }
        self.memory.write(address, bytes).map_err(|range| self.outside(range))
    }

    fn power_on(&mut self) {
        self.reset(ResetCause::PowerOn);
    }

    fn run(&mut self, until: Time) -> Stop {
        if self.state == State::Off {
            self.now = self.now.max(until);
        }
        loop {
            if let Some(stop) = self.interruption() {
                return stop;
            }
            if self.now >= until {
                return if self.state == State::Lockup { Stop::Lockup } else { Stop::Reached };
            }
            if !self.executes() {
                self.pass(until);
            } else if let Some(stop) = self.execute(until) {
                return self.interruption().unwrap_or(stop);
            }
        }
    }

    fn take_outputs(&mut self, into: &mut Vec<Stamped<Output>>) {
        self.soc.take_outputs(into);
    }

    fn input(&mut self, input: Input) {
        match input {
            Input::Reset => self.soc.request_reset(ResetCause::External),
            input => {
                self.soc.outside(&mut self.memory, self.now, input, self.core.cycle());
                self.show_lines();
            }
        }
    }

    fn now(&self) -> Time {
        self.now
    }

    fn cycle(&self) -> Cycle {
        self.core.cycle()
    }

    fn instructions(&self) -> u64 {
        self.core.instructions()
    }

    fn time_asleep(&self) -> Time {
        match self.state {
            State::Asleep(_) | State::Waking(..) => self.asleep + (self.now - self.asleep_since),
            _ => self.asleep,
        }
    }

    fn next_event(&self) -> Time {
        if self.executes() || self.soc.has_outputs() {
            return self.now;
        }
        let due = self.soc.next_due();
        let next = match self.state {
            State::Off => Time::NEVER,
            State::Waking(_, at) => due.min(at),
            State::Asleep(_) if self.core.wake_pending() => self.now,
            State::Asleep(_) if self.core_clock_counts() => {
                due.min(self.soc.timeline.time_or_never(self.core.next_internal_event()))
            }
            _ => due,
        };
        next.max(self.now)
    }

    fn processor_hz(&self) -> u64 {
        if self.soc.tree.main_runs() { self.soc.timeline.clock().hz() } else { 0 }
    }

    fn peek(&self, address: u32, into: &mut [u8]) -> Result<(), OutOfMemory> {
        self.memory.peek(address, into).map_err(|range| self.outside(range))
    }

    fn register(&self, index: usize) -> u32 {
        self.core.register(index)
    }

    fn set_breakpoint(&mut self, address: u32, on: bool) {
        self.memory.set_breakpoint(address, on);
    }

    fn step(&mut self) -> Stop {
        let before = self.core.instructions();
        loop {
            if let Some(stop) = self.interruption() {
                return stop;
            }
            if !self.executes() {
                let next = self.next_event();
                if next == Time::NEVER {
                    return if self.state == State::Lockup { Stop::Lockup } else { Stop::Reached };
                }
                self.pass(next);
                continue;
            }
            let stop = self.core.step(&mut self.memory, &mut self.soc);
            let stop = self.after(stop);
            if let Some(stop) = self.interruption().or(stop) {
                return stop;
            }
            if self.core.instructions() != before {
                return Stop::Reached;
            }
        }
    }

    fn exception_name(&self, number: u32) -> &'static str {
        map::exception_name(number)
    }
}
