// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ATmega128 as boards and worlds use it.

use super::map::{self, Block};
use super::part::MEMORIES;
use super::peripheral::ResetCause;
use super::{Atmega128, State};
use crate::{
    Chip, Core, Input, MemoryInfo, OutOfMemory, Output, Program, Snapshot, Stamped, StateError,
    Stop, SupplyLimits, Time,
};
use lichen_isa::Cycle;

impl Chip for Atmega128 {
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
        &MEMORIES
    }

    fn program(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutOfMemory> {
        self.program_memory(address, bytes)
    }

    fn flash(&mut self) -> Program {
        self.programmed()
    }

    fn share_flash(&mut self, program: &Program) -> Result<(), StateError> {
        let shared = self.share_programmed(program);
        if shared { Ok(()) } else { Err(StateError::OtherPart { part: self.part.name }) }
    }

    fn power_on(&mut self) {
        self.soc.power_up(&mut self.memory, self.now);
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
                return Stop::Reached;
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
                self.soc.outside(self.now, input, self.core.cycle().0);
                self.soc.take_reset();
            }
            input => {
                let was_low = self.soc.is_low;
                self.soc.outside(self.now, input, self.core.cycle().0);
                if was_low && !self.soc.is_low && matches!(self.state, State::Starting(_)) {
                    self.start();
                }
                self.show_lines();
            }
        }
    }

    fn supply_limits(&self) -> SupplyLimits {
        self.soc.supply_limits()
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
            State::Asleep { .. } | State::Waking(..) => {
                self.asleep + (self.now - self.asleep_since)
            }
            _ => self.asleep,
        }
    }

    fn next_event(&self) -> Time {
        if self.executes() || self.soc.has_outputs() {
            return self.now;
        }
        self.next_step().max(self.now)
    }

    fn quiet_until(&self) -> Time {
        self.soc.next_due()
    }

    fn processor_hz(&self) -> u64 {
        let clocks = &self.soc.clocks;
        if clocks.mode.oscillates() { clocks.processor().hz() } else { 0 }
    }

    fn low_power_timer(&self) -> u32 {
        self.soc.blocks.timer0.true_count(&self.soc.clocks, self.now).into()
    }

    fn low_power_timer_exceptions(&self) -> &'static [u32] {
        &[map::TIMER0_COMPARE, map::TIMER0_OVERFLOW]
    }

    fn low_power_timer_wraps(&self) -> Option<u32> {
        Some(map::TIMER0_OVERFLOW)
    }

    fn is_of_timer(&self, exception: u32) -> bool {
        let timers = [Block::Timer0, Block::Timer1, Block::Timer2, Block::Timer3];
        map::vector_block(exception).is_some_and(|block| timers.contains(&block))
    }

    fn enabled_interrupts(&self) -> Vec<u32> {
        let mut blocks = self.soc.blocks.clone();
        let enabled =
            map::ALL.into_iter().fold(0, |all, block| all | blocks.get(block).interrupts());
        (0..u64::BITS).filter(|vector| enabled >> vector & 1 != 0).collect()
    }

    fn peek(&self, address: u32, into: &mut [u8]) -> Result<(), OutOfMemory> {
        self.peek_memory(address, into)
    }

    fn watch_activity(&mut self, on: bool) {
        let powered = self.is_powered();
        self.soc.watch_activity(self.now, on, powered);
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
