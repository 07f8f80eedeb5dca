// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions as tools see them: `semantics.rs` is performed by a [`Machine`] that notes what is done.
//!
//! `tests/core/describe.rs` executes every encoding and compares it with what is said here.

use super::alu::{Alu, C, N, V, Z};
use super::decode::{decode, is_wide};
use super::op::{Condition, Op, SystemOp};
use super::semantics::{Halt, Jump, Machine, Processor, execute, perform_system, width};
use super::special::{CONTROL, IPSR, MSP, PSP, has_flags};
use super::{LR, PC, SP};
use crate::{Access, Cycles, Flow, Instruction, Place, RegisterSet, System, TracedFlags, Width};
use std::convert::Infallible;

/// Number of bytes of an instruction, by its first halfword.
pub(super) fn bytes(first: u16) -> u32 {
    if is_wide(first) { 4 } else { 2 }
}

/// Describes the instruction at `address` that begins with `first`. `second` is the halfword after it,
/// if there is one.
///
/// Cycles are those with the single-cycle multiplier; an access to the single-cycle I/O port takes one
/// less. Those of SVC are without the entry of its exception.
pub fn instruction(address: u32, first: u16, second: Option<u16>) -> Instruction {
    let mut notes = describe(address, decode(first, second));
    notes.bytes = bytes(first);
    notes
}

/// Whether an instruction stores.
pub(super) fn stores(op: Op) -> bool {
    describe(0, op).access.is_some_and(|access| access.write)
}

fn describe(address: u32, op: Op) -> Instruction {
    let nothing = Instruction {
        bytes: 0,
        flow: Flow::Next,
        reads: RegisterSet::NONE,
        writes: RegisterSet::NONE,
        flags_read: 0,
        flags_written: 0,
        access: None,
        cycles: Cycles::always(0),
        system: None,
    };
    let mut notes = Notes { address, spent: 0, instruction: nothing };
    let Ok(()) = execute(op, &mut notes);
    notes.instruction
}

/// What was done by an instruction.
struct Notes {
    address: u32,
    /// Cycles before those with which it ends.
    spent: u64,
    instruction: Instruction,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Constant(u32),
    Sum { base: u8, index: Option<u8>, offset: i32 },
    Memory,
    Computed,
}

impl Source {
    fn register(register: u8) -> Source {
        Source::Sum { base: register, index: None, offset: 0 }
    }

    fn plus(self, other: Source) -> Source {
        match (self, other) {
            (Source::Sum { base, index, offset }, Source::Constant(value)) => {
                Source::Sum { base, index, offset: offset.wrapping_add(value as i32) }
            }
            (
                Source::Sum { base, index: None, offset: 0 },
                Source::Sum { base: other, index: None, offset: 0 },
            ) => Source::Sum { base, index: Some(other), offset: 0 },
            _ => Source::Computed,
        }
    }
}

impl Notes {
    fn flags(&mut self, flags: TracedFlags) {
        self.instruction.flags_read |= flags.read;
        self.instruction.flags_written |= flags.written;
    }

    fn access(&mut self, write: bool, address: Source, width: Width, count: usize) {
        let place = match address {
            Source::Constant(address) => Place::Fixed(address),
            Source::Sum { base, index, offset } => Place::Base { base, index, offset },
            // No instruction computes an address in another way.
            Source::Memory | Source::Computed => return,
        };
        self.instruction.access = Some(Access { write, place, width, count: count as u32 });
    }

    fn ends(&mut self, flow: Flow, next: u64, taken: u64) {
        self.instruction.flow = flow;
        let cycles = |last: u64| (self.spent + last) as u32;
        self.instruction.cycles = Cycles { next: cycles(next), taken: cycles(taken) };
    }

    fn at(&self, offset: i32) -> u32 {
        self.address.wrapping_add(4).wrapping_add_signed(offset)
    }
}

/// For a value that is not known: a shift by the first one leaves the carry, one by the second changes it.
const ANY: [u32; 2] = [0, 1];

impl Machine for Notes {
    type Word = Source;
    type Exit = Infallible;

    fn constant(&mut self, value: u32) -> Source {
        Source::Constant(value)
    }

    fn read(&mut self, register: u8) -> Source {
        self.instruction.reads = self.instruction.reads.with(RegisterSet::of(register));
        Source::register(register)
    }

    fn write(&mut self, register: u8, _: Source) {
        self.instruction.writes = self.instruction.writes.with(RegisterSet::of(register));
    }

    fn pc(&mut self) -> Source {
        self.read(PC);
        Source::Constant(self.at(0))
    }

    fn compute(&mut self, operation: Alu, a: Source, b: Source) -> Source {
        let [(left, _), (changed, result)] = ANY.map(|any| {
            let value = |source| if let Source::Constant(value) = source { value } else { any };
            let mut flags = TracedFlags::default();
            let result = operation.apply(&mut flags, value(a), value(b));
            (flags, result)
        });
        self.flags(left);
        self.flags(changed);
        // A flag that only some values change is what it was with others.
        self.instruction.flags_read |= left.written ^ changed.written;
        match (a, b, operation) {
            (Source::Constant(_), Source::Constant(_), _) => Source::Constant(result),
            (_, _, Alu::Sum) => a.plus(b),
            _ => Source::Computed,
        }
    }

    fn load<const N: usize>(&mut self, address: Source) -> Result<Source, Infallible> {
        self.access(false, address, width::<N>(), 1);
        Ok(Source::Memory)
    }

    fn store<const N: usize>(&mut self, address: Source, _: Source) -> Result<(), Infallible> {
        self.access(true, address, width::<N>(), 1);
        Ok(())
    }

    fn load_words(&mut self, address: Source, to: &mut [Source]) -> Result<(), Infallible> {
        self.access(false, address, Width::Word, to.len());
        to.fill(Source::Memory);
        Ok(())
    }

    fn store_words(&mut self, address: Source, words: &[Source]) -> Result<(), Infallible> {
        self.access(true, address, Width::Word, words.len());
        Ok(())
    }

    fn spend(&mut self, cycles: u64) {
        self.spent += cycles;
    }

    fn next(&mut self, cycles: u64) {
        self.ends(Flow::Next, cycles, cycles);
    }

    fn branch(&mut self, offset: i32, cycles: u64) {
        self.ends(Flow::Branch(self.at(offset)), cycles, cycles);
    }

    fn branch_if(&mut self, condition: Condition, offset: i32, taken: u64, next: u64) {
        let mut flags = TracedFlags::default();
        condition.holds(&mut flags);
        self.flags(flags);
        self.ends(Flow::BranchIf(self.at(offset)), next, taken);
    }

    fn link(&mut self, _: u32) {
        self.write(LR, Source::Computed);
    }

    fn branch_link(&mut self, offset: i32, cycles: u64) {
        self.ends(Flow::Call(self.at(offset)), cycles, cycles);
    }

    fn jump(&mut self, how: Jump, to: Source, cycles: u64) -> Result<(), Infallible> {
        let flow = match (how, to) {
            (Jump::Call, _) => Flow::IndirectCall,
            (_, Source::Memory | Source::Sum { base: LR, index: None, offset: 0 }) => Flow::Return,
            _ => Flow::Indirect,
        };
        self.ends(flow, cycles, cycles);
        Ok(())
    }

    fn system(&mut self, op: SystemOp) -> Result<(), Infallible> {
        perform_system(op, self);
        Ok(())
    }

    fn halt(&mut self, why: Halt) -> Result<(), Infallible> {
        self.instruction.flow = match why {
            Halt::Undefined => Flow::Undefined,
            Halt::Undecoded | Halt::Breakpoint => Flow::Breakpoint,
        };
        Ok(())
    }
}

impl Processor for Notes {
    type Word = Source;

    fn general(&mut self, register: u8) -> Source {
        self.read(register)
    }

    fn set_general(&mut self, register: u8, value: Source) {
        self.write(register, value);
    }

    /// MSP and PSP may be the stack pointer in use.
    fn special(&mut self, number: u8) -> Source {
        self.instruction.system =
            Some(if number == IPSR { System::ReadException } else { System::Register });
        match number {
            _ if has_flags(number) => self.instruction.flags_read = N | Z | C | V,
            MSP | PSP => return self.read(SP),
            _ => {}
        }
        Source::Computed
    }

    /// CONTROL chooses which of the two is in use.
    fn set_special(&mut self, number: u8, value: Source) {
        self.instruction.system = Some(System::Register);
        match number {
            _ if has_flags(number) => self.instruction.flags_written = N | Z | C | V,
            MSP | PSP | CONTROL => self.write(SP, value),
            _ => {}
        }
    }

    fn mask(&mut self, masked: bool) {
        self.instruction.system = Some(if masked { System::Mask } else { System::Unmask });
    }

    fn event(&mut self) {
        self.instruction.system = Some(System::Event);
    }

    fn wait(&mut self, _: bool, cycles: u64) {
        self.instruction.system = Some(System::Wait);
        self.next(cycles);
    }

    fn service(&mut self) {
        self.ends(Flow::Service, 0, 0);
    }

    fn breakpoint(&mut self) {
        self.ends(Flow::Breakpoint, 0, 0);
    }

    fn complete(&mut self, _: u32, cycles: u64) {
        self.next(cycles);
    }

    fn barrier(&mut self) {
        self.instruction.system = Some(System::Barrier);
    }
}
