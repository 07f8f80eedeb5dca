// SPDX-License-Identifier: MIT OR Apache-2.0
//! A chip that never runs: RAM for inspection.

use lichen_chip::{
    Chip, Core, Input, MemoryInfo, OutOfMemory, Output, Program, Request, Snapshot, Stacks,
    Stamped, StateError, Stop, SupplyLimits, Time,
};
use lichen_isa::armv6m::ARCHITECTURE;
use lichen_isa::{Architecture, Cycle};
use std::sync::Arc;

const START: u32 = 0x2000_0000;
const SIZE: u32 = 0x8000;

#[derive(Clone)]
pub struct StillChip {
    ram: Vec<u8>,
}

impl Default for StillChip {
    fn default() -> StillChip {
        StillChip { ram: vec![0; SIZE as usize] }
    }
}

impl StillChip {
    pub fn put(&mut self, address: u32, word: u32) {
        self.program(address, &word.to_le_bytes()).expect("in RAM");
    }

    fn range(&self, address: u32, length: usize) -> Result<std::ops::Range<usize>, OutOfMemory> {
        let end = address as u64 + length as u64;
        if address < START || end > (START + SIZE) as u64 {
            return Err(OutOfMemory { address, end, part: self.part() });
        }
        let start = (address - START) as usize;
        Ok(start..start + length)
    }
}

impl Chip for StillChip {
    fn core(&self) -> &dyn Core {
        self
    }

    fn core_mut(&mut self) -> &mut dyn Core {
        self
    }

    fn part(&self) -> &'static str {
        "still"
    }

    fn memories(&self) -> &[MemoryInfo] {
        &[]
    }

    fn is_powered(&self) -> bool {
        true
    }

    fn program(&mut self, address: u32, bytes: &[u8]) -> Result<(), OutOfMemory> {
        let range = self.range(address, bytes.len())?;
        self.ram[range].copy_from_slice(bytes);
        Ok(())
    }

    fn flash(&mut self) -> Program {
        Program::of(())
    }

    fn share_flash(&mut self, _program: &Program) -> Result<(), StateError> {
        Ok(())
    }

    fn power_on(&mut self) {}

    fn supply_limits(&self) -> SupplyLimits {
        SupplyLimits { off_below: 0, on_from: 0, brown_out: None }
    }
    fn power_off(&mut self) {}

    fn run(&mut self, _until: Time) -> Stop {
        Stop::Reached
    }

    fn take_outputs(&mut self, _into: &mut Vec<Stamped<Output>>) {}

    fn input(&mut self, _input: Input) {}

    fn now(&self) -> Time {
        Time::ZERO
    }

    fn cycle(&self) -> Cycle {
        Cycle(0)
    }

    fn instructions(&self) -> u64 {
        0
    }

    fn time_asleep(&self) -> Time {
        Time::ZERO
    }

    fn low_power_timer_exceptions(&self) -> &'static [u32] {
        &[]
    }

    fn is_of_timer(&self, _exception: u32) -> bool {
        false
    }

    fn enabled_interrupts(&self) -> Vec<u32> {
        Vec::new()
    }

    fn next_event(&self) -> Time {
        Time::NEVER
    }

    fn quiet_until(&self) -> Time {
        Time::NEVER
    }

    fn processor_hz(&self) -> u64 {
        0
    }

    fn low_power_timer(&self) -> u32 {
        0
    }

    fn peek(&self, address: u32, into: &mut [u8]) -> Result<(), OutOfMemory> {
        into.copy_from_slice(&self.ram[self.range(address, into.len())?]);
        Ok(())
    }

    fn watch_activity(&mut self, _on: bool) {}

    fn snapshot(&self) -> Snapshot {
        Snapshot::of(self.clone())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), StateError> {
        let saved: &StillChip = snapshot.get().ok_or(StateError::OtherPart { part: "still" })?;
        *self = saved.clone();
        Ok(())
    }

    fn save(&self) -> Vec<u8> {
        self.ram.clone()
    }

    fn load(&mut self, saved: &[u8]) -> Result<(), StateError> {
        self.ram = saved.to_vec();
        Ok(())
    }

    fn state_hash(&self) -> u64 {
        self.ram.iter().map(|byte| *byte as u64).sum()
    }
}

impl Core for StillChip {
    fn architecture(&self) -> &'static Architecture {
        &ARCHITECTURE
    }

    fn register(&self, _number: usize) -> u32 {
        0
    }

    fn set_register(&mut self, _number: usize, _value: u32) {}

    fn pc(&self) -> u32 {
        0
    }

    fn reset_address(&self) -> Option<u32> {
        None
    }

    fn set_breakpoint(&mut self, _address: u32, _on: bool) {}

    fn step(&mut self, _until: Time) -> Stop {
        Stop::Reached
    }

    fn exception(&self) -> u32 {
        0
    }

    fn exceptions_active(&self) -> usize {
        usize::from(self.exception() != 0)
    }

    fn exceptions_entered(&self) -> u64 {
        u64::from(self.exception() != 0)
    }

    fn exception_name(&self, number: u32) -> &'static str {
        match number {
            19 => "exception 19",
            _ => "exception 25",
        }
    }

    fn saved_by_exception(&self) -> Option<Vec<(usize, u32)>> {
        None
    }

    fn masks_interrupts(&self) -> bool {
        false
    }

    fn requests(&self) -> u64 {
        0
    }

    fn requested_at(&self, _number: u32) -> Option<Request> {
        None
    }

    fn priority(&self, _number: u32) -> i8 {
        4
    }

    fn pend_interrupt(&mut self, _line: u32) {}

    fn guard_stacks(&mut self, _stacks: Arc<Stacks>) {}

    fn watch_exceptions(&mut self, _on: bool) {}

    fn fault_return(&self) -> Option<u64> {
        None
    }

    fn cycles_stalled(&self) -> u64 {
        0
    }
}
