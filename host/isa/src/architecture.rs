// SPDX-License-Identifier: MIT OR Apache-2.0
//! What debuggers and tools must know of an architecture: its registers, and how its code is read.
//!
//! Addresses are linear, as ELF files and GDB use them. An architecture with several address spaces
//! gives each a range of its own, as its compiler does: AVR's has flash at 0, data at 0x80_0000 and
//! EEPROM at 0x81_0000.

use crate::{Flow, Instruction, armv6m, avr8};

/// An instruction set architecture, with the programmer's model of its cores.
#[derive(Clone, Copy, Debug)]
pub struct Architecture {
    /// Its name, such as `ARMv6-M`.
    pub name: &'static str,
    /// `e_machine` of its ELF files.
    pub elf_machine: u16,
    /// Families of cores, as `e_flags` of ELF files number them, whose programs its cores execute, their
    /// own first; none if ELF files do not distinguish families.
    pub elf_variants: &'static [u32],
    /// Its name in GDB's target descriptions.
    pub gdb_name: &'static str,
    /// Its registers, by number.
    pub registers: &'static [RegisterInfo],
    /// How many registers, from the first on, GDB exchanges: all that the target description has, or
    /// those that GDB knows by itself where it reads no description.
    pub gdb_registers: usize,
    /// The registers of the first arguments of functions, each from its least significant part on:
    /// integers of the size of `int`.
    pub arguments: &'static [&'static [u8]],
    /// What the program's pointers hold.
    pub pointers: Pointers,
    /// Order of the bytes of a number in memory.
    pub byte_order: ByteOrder,
    /// Alignment of instructions, and bytes of the shortest one.
    pub instruction_alignment: u32,
    /// How the vector table leads to handlers.
    pub vectors: Vectors,
    /// Number of the chip's first interrupt; smaller numbers are exceptions of the core itself.
    pub first_interrupt: u32,
    /// Cycles that an interrupt takes beside its handler's instructions: to enter it, and to go on with what it has
    /// interrupted; without wait states.
    pub interrupt_cycles: u64,
    /// The manual's name of a fault that the program has caused, such as `HardFault`; empty where the
    /// core has none.
    pub fault: &'static str,
    /// Describes the instruction at an address, given its bytes and as many as there are behind it.
    /// `None` if they are too few.
    pub decode: fn(u32, &[u8]) -> Option<Instruction>,
}

/// What a vector table has for each exception, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vectors {
    /// A pointer to the handler.
    Pointers,
    /// Instructions of so many bytes, usually a jump to the handler.
    Instructions(u32),
}

/// What the pointers of a program hold, and how they lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointers {
    /// Linear address of the data that a pointer of value 0 points to.
    pub data_base: u32,
    /// Bytes of a pointer to data.
    pub data_bytes: u32,
    /// Bytes of a pointer to a function, and of a return address.
    pub code_bytes: u32,
    /// What a pointer to a function and a return address count, in bytes: 1, or 2 where they count
    /// words.
    pub code_unit: u32,
    /// Bits that are set in every pointer to a function: the Thumb bit.
    pub code_mark: u32,
    /// Order of the bytes of a return address that a call has left on the stack.
    pub return_address: ByteOrder,
}

/// Order of the bytes of a number in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The least significant byte at the lowest address.
    Little,
    /// The most significant byte at the lowest address.
    Big,
}

impl ByteOrder {
    /// The number that these bytes are, at most four.
    pub fn number(self, bytes: &[u8]) -> u32 {
        let append = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
        match self {
            ByteOrder::Little => bytes.iter().rev().fold(0, append),
            ByteOrder::Big => bytes.iter().fold(0, append),
        }
    }
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
static ARCHITECTURES: [&Architecture; 2] = [&armv6m::ARCHITECTURE, &avr8::ARCHITECTURE];

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

    /// Bytes of C's `int`: of the place of one argument.
    pub fn int_bytes(&self) -> u32 {
        let place = self.arguments.first().copied().unwrap_or_default();
        place.iter().map(|part| self.registers[usize::from(*part)].bits).sum::<u32>() / 8
    }

    /// Where the instruction is that a code address, perhaps of a symbol, denotes.
    pub fn instruction_address(&self, address: u32) -> u32 {
        address & !(self.instruction_alignment - 1)
    }

    /// Where the handler of an exception begins, according to the vector table at `table`; `read` gives
    /// the bytes at an address, as many as it is asked for. `None` where no handler is named.
    pub fn handler<'a>(
        &self,
        table: u32,
        number: u32,
        read: impl Fn(u32, usize) -> Option<&'a [u8]>,
    ) -> Option<u32> {
        match self.vectors {
            Vectors::Pointers => {
                let bytes = self.pointers.code_bytes;
                let pointer = read(table.checked_add(number * bytes)?, bytes as usize)?;
                let pointer = self.byte_order.number(pointer);
                let address = self.code_address(pointer);
                // A pointer to code has its own form: in Thumb code it is odd.
                (self.code_pointer(address) == pointer).then_some(address)
            }
            Vectors::Instructions(bytes) => {
                let at = table.checked_add(number * bytes)?;
                match (self.decode)(at, read(at, bytes as usize)?)?.flow {
                    Flow::Branch(to) => Some(to),
                    _ => None,
                }
            }
        }
    }

    /// Linear address of the data that a pointer of the program points to.
    pub fn data_address(&self, pointer: u32) -> u32 {
        self.pointers.data_base.wrapping_add(pointer)
    }

    /// Linear address of the instruction to which a pointer to a function, or a return address, points.
    pub fn code_address(&self, pointer: u32) -> u32 {
        self.instruction_address(pointer.wrapping_mul(self.pointers.code_unit))
    }

    /// The pointer to the function at a linear address: the converse of [`Architecture::code_address`].
    pub fn code_pointer(&self, address: u32) -> u32 {
        (address / self.pointers.code_unit) | self.pointers.code_mark
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
