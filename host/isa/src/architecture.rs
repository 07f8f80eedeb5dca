// SPDX-License-Identifier: MIT OR Apache-2.0
//! What debuggers and tools must know of an architecture: its registers, and how its code is read.
//!
//! Addresses are linear, as ELF files and GDB use them. An architecture with several address spaces
//! gives each a range of its own, as its compiler does: AVR's has flash at 0, data at 0x80_0000 and
//! EEPROM at 0x81_0000.

use crate::{Instruction, armv6m};

/// An instruction set architecture, with the programmer's model of its cores.
#[derive(Clone, Copy, Debug)]
pub struct Architecture {
    /// Its name, such as `ARMv6-M`.
    pub name: &'static str,
    /// `e_machine` of its ELF files.
    pub elf_machine: u16,
    /// Its name in GDB's target descriptions.
    pub gdb_name: &'static str,
    /// Its registers, by number.
    pub registers: &'static [RegisterInfo],
    /// The registers of the first arguments of functions that are integers, each from its least
    /// significant part on.
    pub arguments: &'static [&'static [u8]],
    /// Alignment of instructions, and bytes of the shortest one.
    pub instruction_alignment: u32,
    /// Number of the chip's first interrupt; smaller numbers are exceptions of the core itself.
    pub first_interrupt: u32,
    /// The manual's name of a fault that the program has caused, such as `HardFault`.
    pub fault: &'static str,
    /// Describes the instruction at an address, given its bytes and as many as there are behind it.
    /// `None` if they are too few.
    pub decode: fn(u32, &[u8]) -> Option<Instruction>,
}

/// Bytes of the longest instruction of all architectures, a multiple of every alignment.
pub const LONGEST_INSTRUCTION: usize = 4;

/// A register as debuggers show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegisterInfo {
    /// Its name.
    pub name: &'static str,
    /// Its size in bits.
    pub bits: u32,
    /// What it holds.
    pub kind: RegisterKind,
    /// Its role, if tools use it for something that every architecture has.
    pub role: Option<RegisterRole>,
    /// GDB's group: `general`, `system`.
    pub group: &'static str,
    /// GDB's feature, such as `org.gnu.gdb.arm.m-profile`. The registers of one follow each other.
    pub feature: &'static str,
}

/// What a register holds, for a debugger that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterKind {
    /// A number.
    Integer,
    /// An address of data.
    DataPointer,
    /// An address of code.
    CodePointer,
}

/// What every architecture has a register for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterRole {
    /// Address of the next instruction.
    ProgramCounter,
    /// The stack pointer in use.
    StackPointer,
    /// Where the present function returns to, if a register holds it.
    ReturnAddress,
    /// Base of the present function's frame, if compilers keep it in a register.
    FramePointer,
}

/// All architectures.
static ARCHITECTURES: [&Architecture; 1] = [&armv6m::ARCHITECTURE];

/// The architecture whose ELF files have this `e_machine`.
pub fn architecture(elf_machine: u16) -> Option<&'static Architecture> {
    ARCHITECTURES.into_iter().find(|architecture| architecture.elf_machine == elf_machine)
}

impl Architecture {
    /// Number of the register with this role.
    pub fn register(&self, role: RegisterRole) -> Option<usize> {
        self.registers.iter().position(|register| register.role == Some(role))
    }

    /// Bytes of all registers together, each rounded up to whole bytes.
    pub fn register_bytes(&self) -> usize {
        self.registers.iter().map(RegisterInfo::bytes).sum()
    }

    /// Where the instruction is that a code address, perhaps of a symbol, denotes.
    pub fn instruction_address(&self, address: u32) -> u32 {
        address & !(self.instruction_alignment - 1)
    }
}

impl RegisterInfo {
    /// Its size in whole bytes.
    pub fn bytes(&self) -> usize {
        self.bits.div_ceil(8) as usize
    }
}

impl PartialEq for Architecture {
    fn eq(&self, other: &Architecture) -> bool {
        self.name == other.name
    }
}

impl Eq for Architecture {}
