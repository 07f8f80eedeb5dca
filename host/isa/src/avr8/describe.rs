// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions as tools see them: `semantics.rs` is performed by a [`Machine`] that notes what is done.
//!
//! `tests/avr8/describe.rs` executes every encoding and compares it with what is said here.
//!
//! The bits of flags are those of SREG. Accesses are those to the data space and, of LPM and ELPM, to
//! flash, at linear addresses. An access through a pointer may reach r0 to r31, SREG, the stack pointer
//! and RAMPZ, which have data addresses too: that is not among the registers which are read and written.
//! With an address that the instruction contains, it is.

use super::access::{Own, SREG as SREG_AT};
use super::alu::{Alu, FlagAccess, I, Product, WordAlu};
use super::decode::{Decoded, decode, words};
use super::encode::BEHIND;
use super::op::{Op, X, Y};
use super::semantics::{Halt, Machine, SystemOp, execute, perform_system};
use super::{DATA_BASE, RAMPZ, SP};
use crate::{Access, Cycles, Flow, Instruction, Place, RegisterSet, System, TracedFlags, Width};
use std::convert::Infallible;

/// Describes the instruction at `address` that begins with `first`. `second` is the word after it, which
/// matters to instructions of two words and to skips.
///
/// Cycles of SPM are without the time for which the processor halts.
pub fn instruction(address: u32, first: u16, second: u16) -> Instruction {
    let Decoded { op, defined } = decode(first, second);
    let mut instruction = describe(address, op);
    instruction.bytes = 2 * u32::from(words(first));
    if op == Op::Nop && !defined {
        instruction.flow = Flow::Undefined;
    }
    instruction
}

/// Whether the description depends on the word after `first`.
pub(super) fn needs_second(first: u16) -> bool {
    let [one, two] = BEHIND.map(|second| instruction(0, first, second));
    words(first) == 2 || one != two
}

/// Whether it changes more than registers and flags, or reads what may change by itself without
/// saying so: not part of a polling loop.
pub(super) fn has_side_effects(op: Op) -> bool {
    let Instruction { access, system, .. } = describe(0, op);
    let is_mask = matches!(op, Op::Sei | Op::Cli);
    let reads_flash = matches!(op, Op::Lpm { .. } | Op::Elpm { .. });
    let stores = access.is_some_and(|access| access.write) && !matches!(op, Op::OutSreg { .. });
    stores || reads_flash || system.is_some() && !is_mask
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
    let mut notes = Notes { address, instruction: nothing };
    let Ok(()) = execute(op, &mut notes);
    notes.instruction
}

/// What was done by an instruction.
struct Notes {
    address: u32,
    instruction: Instruction,
}

/// Where a word comes from.
#[derive(Clone, Copy, Debug)]
enum Source {
    Constant(u16),
    /// A pair of registers and a constant.
    Pair(u8, u16),
    /// The stack pointer and a constant.
    Stack(u16),
    Computed,
}

impl Notes {
    fn reads(&mut self, register: u8) {
        self.instruction.reads = self.instruction.reads.with(RegisterSet::of(register));
    }

    fn writes(&mut self, register: u8) {
        self.instruction.writes = self.instruction.writes.with(RegisterSet::of(register));
    }

    fn flags(&mut self, flags: TracedFlags) {
        self.instruction.flags_read |= flags.read;
        self.instruction.flags_written |= flags.written;
    }

    fn accesses(&mut self, write: bool, place: Place, count: u32) {
        self.instruction.access = Some(Access { write, place, width: Width::Byte, count });
    }

    fn access(&mut self, write: bool, address: Source, lowest: i32, count: u32) {
        let offset = |offset: u16| i32::from(offset as i16) + lowest;
        let place = match address {
            Source::Constant(address) => Place::Fixed(DATA_BASE + u32::from(address)),
            Source::Pair(lower, by) => {
                Place::Pointer { space: DATA_BASE, bytes: pointer(lower), offset: offset(by) }
            }
            Source::Stack(by) => {
                Place::Base { base: SP as u8, index: None, offset: DATA_BASE as i32 + offset(by) }
            }
            // No instruction computes an address in another way.
            Source::Computed => return,
        };
        self.accesses(write, place, count);
    }

    /// Something of the core is read by its data address.
    fn reads_own(&mut self, own: Option<Own>) {
        match own {
            Some(Own::Register(number)) => self.reads(number),
            Some(Own::StackLow | Own::StackHigh) => self.reads(SP as u8),
            Some(Own::Rampz) => self.reads(RAMPZ as u8),
            Some(Own::Status) => self.instruction.flags_read = u8::MAX.into(),
            None => {}
        }
    }

    /// Something of the core is written by its data address.
    fn writes_own(&mut self, own: Option<Own>) {
        match own {
            Some(Own::Register(number)) => self.writes(number),
            Some(Own::StackLow | Own::StackHigh) => {
                // The other half remains.
                self.reads(SP as u8);
                self.writes(SP as u8);
            }
            Some(Own::Rampz) => self.writes(RAMPZ as u8),
            Some(Own::Status) => self.instruction.flags_written = u8::MAX.into(),
            None => {}
        }
    }

    fn ends(&mut self, flow: Flow, next: u64, taken: u64) {
        self.instruction.flow = flow;
        self.instruction.cycles = Cycles { next: next as u32, taken: taken as u32 };
    }

    fn skips(&mut self, words: u8, cycles: u64) {
        let to = bytes(self.away(1 + i32::from(words)));
        self.ends(Flow::BranchIf(to), cycles, cycles + u64::from(words));
    }
}

/// The registers of a pointer.
fn pointer(lower: u8) -> &'static [u8] {
    match lower {
        X => &[26, 27],
        Y => &[28, 29],
        _ => &[30, 31],
    }
}

/// Address in bytes of code; the program counter has 16 bits.
fn bytes(words: u32) -> u32 {
    (words & 0xFFFF) << 1
}

/// Whether what an operation makes of a register and itself, and of its flags, depends on the register.
fn depends(operation: Alu) -> bool {
    !matches!(operation, Alu::Subtract | Alu::SubtractCarry | Alu::Xor)
}

impl Machine for Notes {
    type Byte = ();
    type Word = Source;
    type Exit = Infallible;

    fn byte(&mut self, _: u8) {}

    fn word(&mut self, value: u16) -> Source {
        Source::Constant(value)
    }

    fn read(&mut self, register: u8) {
        self.reads(register);
    }

    fn write(&mut self, register: u8, (): ()) {
        self.writes(register);
    }

    fn read_pair(&mut self, lower: u8) -> Source {
        self.reads(lower);
        self.reads(lower | 1);
        Source::Pair(lower, 0)
    }

    fn write_pair(&mut self, lower: u8, _: Source) {
        self.writes(lower);
        self.writes(lower | 1);
    }

    fn sp(&mut self) -> Source {
        self.reads(SP as u8);
        Source::Stack(0)
    }

    fn set_sp(&mut self, _: Source) {
        self.writes(SP as u8);
    }

    fn rampz(&mut self) {
        self.reads(RAMPZ as u8);
    }

    fn set_rampz(&mut self, (): ()) {
        self.writes(RAMPZ as u8);
    }

    fn next_far(&mut self, (): (), _: Source) -> ((), Source) {
        ((), Source::Computed)
    }

    fn status(&mut self) {
        self.reads_own(Some(Own::Status));
        self.access(false, Source::Constant(SREG_AT), 0, 1);
    }

    fn set_status(&mut self, (): ()) {
        self.writes_own(Some(Own::Status));
        self.access(true, Source::Constant(SREG_AT), 0, 1);
    }

    fn set_flag(&mut self, flag: u8, on: bool) {
        let mut flags = TracedFlags::default();
        FlagAccess::set(&mut flags, flag, on);
        self.flags(flags);
        if flag == I {
            self.instruction.system = Some(if on { System::Unmask } else { System::Mask });
        }
    }

    fn compute(&mut self, operation: Alu, (): (), (): ()) {
        let mut flags = TracedFlags::default();
        operation.apply(&mut flags, 0, 0);
        self.flags(flags);
    }

    fn compute_both(&mut self, operation: Alu, rd: u8, rr: u8) {
        // A register with itself may be 0, whatever it was.
        if rd != rr || depends(operation) {
            self.reads(rd);
            self.reads(rr);
        }
        self.compute(operation, (), ());
    }

    fn compute_word(&mut self, operation: WordAlu, a: Source, b: u16) -> Source {
        let mut flags = TracedFlags::default();
        operation.apply(&mut flags, 0, 0);
        self.flags(flags);
        match (operation, a) {
            (WordAlu::Sum, Source::Pair(lower, by)) => Source::Pair(lower, by.wrapping_add(b)),
            (WordAlu::Sum, Source::Stack(by)) => Source::Stack(by.wrapping_add(b)),
            _ => Source::Computed,
        }
    }

    fn multiply(&mut self, product: Product, (): (), (): ()) -> Source {
        let mut flags = TracedFlags::default();
        product.apply(&mut flags, 0, 0);
        self.flags(flags);
        Source::Computed
    }

    fn load(&mut self, address: Source) {
        if let Source::Constant(address) = address {
            self.reads_own(Own::at(address));
        }
        self.access(false, address, 0, 1);
    }

    fn store(&mut self, address: Source, (): ()) {
        if let Source::Constant(address) = address {
            self.writes_own(Own::at(address));
        }
        self.access(true, address, 0, 1);
    }

    fn input(&mut self, address: u8) {
        self.load(Source::Constant(address.into()));
    }

    fn output(&mut self, address: u8, (): ()) {
        self.store(Source::Constant(address.into()), ());
    }

    fn change(&mut self, address: u8, _: Alu, _: u8) {
        self.access(true, Source::Constant(address.into()), 0, 1);
    }

    fn store_pushed(&mut self, address: Source, (): ()) {
        self.store(address, ());
    }

    fn store_return(&mut self, address: Source, _: u32) {
        self.access(true, address, -1, 2);
    }

    fn load_return(&mut self, address: Source) -> Source {
        self.access(false, address, 0, 2);
        Source::Computed
    }

    fn load_program(&mut self, _: Source) {
        self.accesses(false, Place::Pointer { space: 0, bytes: &[30, 31], offset: 0 }, 1);
    }

    fn load_far(&mut self, (): (), _: Source) {
        let bytes = &[30, 31, RAMPZ as u8];
        self.accesses(false, Place::Pointer { space: 0, bytes, offset: 0 }, 1);
    }

    fn away(&mut self, words: i32) -> u32 {
        (self.address >> 1).wrapping_add_signed(words)
    }

    fn next(&mut self, _: u8, cycles: u64) {
        self.ends(Flow::Next, cycles, cycles);
    }

    fn branch(&mut self, to: u32, cycles: u64) {
        self.ends(Flow::Branch(bytes(to)), cycles, cycles);
    }

    fn branch_if(&mut self, flag: u8, _: bool, offset: i8, taken: u64, next: u64) {
        let mut flags = TracedFlags::default();
        FlagAccess::get(&mut flags, flag);
        self.flags(flags);
        let to = bytes(self.away(1 + i32::from(offset)));
        self.ends(Flow::BranchIf(to), next, taken);
    }

    fn skip_if_equal(&mut self, rd: u8, rr: u8, words: u8, cycles: u64) {
        if rd != rr {
            self.reads(rd);
            self.reads(rr);
        }
        self.skips(words, cycles);
    }

    fn skip_if(&mut self, (): (), _: u8, _: bool, words: u8, cycles: u64) {
        self.skips(words, cycles);
    }

    fn jump(&mut self, _: Source, cycles: u64) {
        self.ends(Flow::Indirect, cycles, cycles);
    }

    fn call(&mut self, to: u32, cycles: u64) {
        self.ends(Flow::Call(bytes(to)), cycles, cycles);
    }

    fn call_word(&mut self, _: Source, cycles: u64) {
        self.ends(Flow::IndirectCall, cycles, cycles);
    }

    fn ret(&mut self, _: Source, cycles: u64) {
        self.ends(Flow::Return, cycles, cycles);
    }

    fn ret_from_interrupt(&mut self, to: Source, cycles: u64) {
        self.ret(to, cycles);
    }

    fn sleep(&mut self, cycles: u64) {
        self.instruction.system = Some(System::Wait);
        self.next(1, cycles);
    }

    fn reset_watchdog(&mut self, cycles: u64) {
        self.instruction.system = Some(System::Watchdog);
        self.next(1, cycles);
    }

    fn program(&mut self, (): (), _: Source, _: Source, cycles: u64) {
        self.instruction.system = Some(System::Program);
        self.next(1, cycles);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations that an instruction has with two registers.
    const WITH_REGISTER: [Alu; 7] =
        [Alu::Add, Alu::AddCarry, Alu::Subtract, Alu::SubtractCarry, Alu::And, Alu::Or, Alu::Xor];

    #[test]
    fn a_result_depends_on_a_register_if_another_value_makes_another_result() {
        for operation in WITH_REGISTER {
            let of = |value: u8, before: u32| {
                let mut flags = TracedFlags::of(before);
                (operation.apply(&mut flags, value, value), flags)
            };
            let differs =
                |value: u8| [0, 0xFF].iter().any(|flags| of(value, *flags) != of(0, *flags));
            assert_eq!(depends(operation), (0..=u8::MAX).any(differs), "{operation:?}");
        }
    }
}
