// SPDX-License-Identifier: MIT OR Apache-2.0
//! The SAM R21 as boards and worlds use it.

use super::map::ENTRIES;
use super::{Samr21, State};
use crate::samr21::peripheral::ResetCause;
use crate::{
    Chip, Core, Input, MemoryInfo, OutOfMemory, Output, Program, Snapshot, Stamped, StateError,
    Stop, SupplyLimits, Time,
};
use lichen_isa::Cycle;
use lichen_isa::armv6m::exceptions::INTERRUPT_0;

/// What the RTC requests.
const RTC_EXCEPTIONS: &[u32] = &[INTERRUPT_0 + 3];

impl Chip for Samr21 {
    fn core(&self) -> &dyn Core {
        self
    }

    fn core_mut(&mut self) -> &mut dyn Core {
        self
    }

    fn part(&self) -> &'static str {
        self.part.name
    }

    fn memories(&self) -> &[MemoryInfo] {
        &self.part.memories
    }

    fn program(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutOfMemory> {
        if self.soc.blocks.nvmctrl.program_user_row(address, bytes) {
            return Ok(());
        }
        self.memory.write(address, bytes).map_err(|range| self.outside(range))
    }

    fn flash(&mut self) -> Program {
        Program::of(self.memory.program())
    }

    fn share_flash(&mut self, program: &Program) -> Result<(), StateError> {
        let shared = program.get().is_some_and(|program| self.memory.share(program));
        if shared { Ok(()) } else { Err(StateError::OtherPart { part: self.part.name }) }
    }

    fn power_on(&mut self) {
        self.soc.power_up(&mut self.memory);
        self.reset(ResetCause::PowerOn);
    }

    fn power_off(&mut self) {
        self.lose_power();
    }

    fn is_powered(&self) -> bool {
        self.state != State::Off
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
            Input::Reset if self.state == State::Off => {}
            Input::Reset => self.soc.request_reset(ResetCause::External),
            // A detector without a supply asks for nothing.
            Input::Supply { .. } if self.state == State::Off => {
                self.soc.outside(&mut self.memory, self.now, input, self.core.cycle());
                self.soc.take_reset();
            }
            input => {
                self.soc.outside(&mut self.memory, self.now, input, self.core.cycle());
                self.follow_supply();
                self.show_lines();
            }
        }
    }

    fn supply_limits(&self) -> SupplyLimits {
        match self.state {
            State::Off => self.soc.blocks.limits_at_start(),
            _ => self.soc.blocks.sysctrl.supply_limits(),
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

    fn quiet_until(&self) -> Time {
        let internal = self.soc.timeline.time_or_never(self.core.next_internal_event());
        self.soc.next_due().min(internal)
    }

    fn processor_hz(&self) -> u64 {
        if self.soc.tree.main_runs() { self.soc.timeline.clock().hz() } else { 0 }
    }

    fn low_power_timer(&self) -> u32 {
        self.soc.blocks.rtc.count(self.now())
    }

    fn low_power_timer_exceptions(&self) -> &'static [u32] {
        RTC_EXCEPTIONS
    }

    fn is_of_timer(&self, exception: u32) -> bool {
        let line = exception.checked_sub(INTERRUPT_0).and_then(|line| u8::try_from(line).ok());
        let block = ENTRIES.iter().find(|entry| line.is_some() && entry.irq == line);
        block.is_some_and(|entry| entry.name.starts_with("TC"))
    }

    fn enabled_interrupts(&self) -> Vec<u32> {
        let mut blocks = self.soc.blocks.clone();
        let arrive = self.core.enabled_interrupts();
        let come = ENTRIES.iter().enumerate().filter(|(index, _)| blocks.get(*index).interrupts());
        let lines = come.filter_map(|(_, entry)| entry.irq.map(u32::from));
        lines.filter(|line| arrive >> line & 1 != 0).map(|line| INTERRUPT_0 + line).collect()
    }

    fn peek(&self, address: u32, into: &mut [u8]) -> Result<(), OutOfMemory> {
        self.memory.peek(address, into).map_err(|range| self.outside(range))
    }

    fn watch_activity(&mut self, on: bool) {
        let mode = self.mode();
        self.soc.watch_activity(self.now, on, mode);
    }

    fn snapshot(&self) -> Snapshot {
        self.take_snapshot()
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), StateError> {
        self.restore_snapshot(snapshot)
    }

    fn save(&self) -> Vec<u8> {
        self.to_bytes()
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), StateError> {
        self.take_bytes(saved)
    }

    fn state_hash(&self) -> u64 {
        self.hash_state()
    }
}
