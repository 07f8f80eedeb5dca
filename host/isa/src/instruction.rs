// SPDX-License-Identifier: MIT OR Apache-2.0
//! What tools need to know of an instruction: its length, where control goes, what it reads and writes,
//! and how long it takes.
//!
//! An architecture's decoder fills an [`Instruction`]; debuggers, verifiers, mutants and rewriters use it
//! and need no decoder of their own. Registers are numbered as in the architecture's table of registers.

use crate::Width;

/// A decoded instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its length in bytes.
    pub bytes: u32,
    /// Where control goes.
    pub flow: Flow,
    /// Registers on whose values its effect depends. The program counter is one of them if the effect
    /// depends on the instruction's own address; not for branches, whose targets [`Flow`] has.
    pub reads: RegisterSet,
    /// Registers that it may change, apart from the program counter.
    pub writes: RegisterSet,
    /// Flags on which its effect depends, as bits of the architecture's status register.
    pub flags_read: u32,
    /// Flags that it may change.
    pub flags_written: u32,
    /// The memory that it reads or writes. What reads a register, changes a bit and writes it back writes.
    pub access: Option<Access>,
    /// How long it takes, from and in memory without wait states.
    pub cycles: Cycles,
    /// What it does beyond registers, flags and memory.
    pub system: Option<System>,
}

/// What an instruction does to the processor as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// It masks interrupts.
    Mask,
    /// It unmasks them.
    Unmask,
    /// It waits for an interrupt or an event.
    Wait,
    /// It sends an event, to whoever waits for one.
    Event,
    /// It waits until accesses before it are complete.
    Barrier,
    /// It reads the number of the active exception, alone: code that runs in threads and in handlers
    /// asks so where it is.
    ReadException,
    /// It reads or writes another register of the system.
    Register,
    /// It restarts the watchdog.
    Watchdog,
    /// It programs or erases flash, or prepares to.
    Program,
}

/// Where control goes after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To this address.
    Branch(u32),
    /// To this address or to the next instruction. A skip leads over the next one.
    BranchIf(u32),
    /// To where a register or memory says.
    Indirect,
    /// To the function at this address, which returns to the next instruction.
    Call(u32),
    /// To a function whose address is in a register, and which returns to the next instruction.
    IndirectCall,
    /// Back to the caller, as far as the instruction itself shows.
    Return,
    /// Into the system, by an exception; then to the next instruction.
    Service,
    /// To a debugger; without one this is a fault.
    Breakpoint,
    /// Nowhere: it is not an instruction.
    Undefined,
}

impl Flow {
    /// The address to which it may go, if the instruction contains one.
    pub fn target(self) -> Option<u32> {
        match self {
            Flow::Branch(to) | Flow::BranchIf(to) | Flow::Call(to) => Some(to),
            _ => None,
        }
    }

    /// Whether the next instruction may follow, at once or after a call.
    pub fn continues(self) -> bool {
        match self {
            Flow::Next | Flow::BranchIf(_) => true,
            Flow::Call(_) | Flow::IndirectCall | Flow::Service => true,
            Flow::Branch(_) | Flow::Indirect | Flow::Return => false,
            Flow::Breakpoint | Flow::Undefined => false,
        }
    }
}

/// Cycles of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycles {
    /// If the next instruction follows.
    pub next: u32,
    /// If control goes elsewhere.
    pub taken: u32,
}

impl Cycles {
    /// The same number in both cases.
    pub(crate) const fn always(cycles: u32) -> Cycles {
        Cycles { next: cycles, taken: cycles }
    }
}

/// Consecutive bytes that an instruction reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Whether it writes them.
    pub write: bool,
    /// Where they begin.
    pub place: Place,
    /// Size of a single access on the bus.
    pub width: Width,
    /// Number of such accesses: not 1 for instructions that load or store several registers.
    pub count: u32,
}

impl Access {
    /// Number of bytes.
    pub fn bytes(&self) -> u32 {
        self.count * self.width.bytes()
    }

    /// Address of the first byte, given the values of registers before the instruction.
    pub fn address(&self, register: impl Fn(u8) -> u32) -> u32 {
        match self.place {
            Place::Fixed(address) => address,
            Place::Base { base, index, offset } => {
                let index = index.map_or(0, &register);
                register(base).wrapping_add(index).wrapping_add_signed(offset)
            }
            Place::Pointer { space, bytes, offset } => {
                let highest_first = bytes.iter().rev();
                let pointer = highest_first.fold(0, |high, byte| high << 8 | register(*byte));
                let mask = (1 << (8 * bytes.len())) - 1;
                space + (pointer.wrapping_add_signed(offset) & mask)
            }
        }
    }
}

/// Where an access begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At an address that the instruction contains, or that it has at a distance from itself.
    Fixed(u32),
    /// At the sum of these.
    Base {
        /// A register.
        base: u8,
        /// Another one.
        index: Option<u8>,
        /// Bytes.
        offset: i32,
    },
    /// Where a pointer of several registers says, at a distance: the sum has no more bits than the
    /// pointer.
    Pointer {
        /// The linear address that a pointer of value 0 denotes.
        space: u32,
        /// Registers of 8 bits, from the least significant one on; at most three.
        bytes: &'static [u8],
        /// Bytes.
        offset: i32,
    },
}

impl Place {
    /// The register that is added to the base.
    pub fn index(self) -> Option<u8> {
        match self {
            Place::Fixed(_) | Place::Pointer { .. } => None,
            Place::Base { index, .. } => index,
        }
    }
}

/// A set of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegisterSet(pub u64);

impl RegisterSet {
    /// None.
    pub const NONE: RegisterSet = RegisterSet(0);

    /// One register.
    pub const fn of(register: u8) -> RegisterSet {
        RegisterSet(1 << register)
    }

    /// The registers of both sets.
    pub const fn with(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 | other.0)
    }

    /// The registers of this set that the other one does not have.
    pub const fn without(self, other: RegisterSet) -> RegisterSet {
        RegisterSet(self.0 & !other.0)
    }

    /// Whether it has this register.
    pub const fn contains(self, register: u8) -> bool {
        self.0 >> register & 1 != 0
    }

    /// Whether both sets have a register in common.
    pub const fn meets(self, other: RegisterSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it has no register.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_the_sum_of_base_index_and_offset() {
        let access = |place| Access { write: false, place, width: Width::Word, count: 2 };
        let value = |register: u8| 0x100 * u32::from(register);
        assert_eq!(access(Place::Fixed(0x42)).address(value), 0x42);
        let push = access(Place::Base { base: 13, index: None, offset: -8 });
        assert_eq!((push.address(value), push.bytes()), (0xCF8, 8));
        let indexed = access(Place::Base { base: 1, index: Some(2), offset: 0 });
        assert_eq!(indexed.address(value), 0x300);
    }

    #[test]
    fn a_pointer_is_made_of_its_bytes_and_wraps_around() {
        let access = |bytes, offset| {
            let place = Place::Pointer { space: 0x80_0000, bytes, offset };
            Access { write: true, place, width: Width::Byte, count: 1 }
        };
        let value = |register: u8| if register == 26 { 0xFF } else { 0x12 };
        assert_eq!(access(&[26, 27], 0).address(value), 0x80_12FF);
        assert_eq!(access(&[26, 27], 2).address(value), 0x80_1301);
        assert_eq!(access(&[26, 26], 1).address(value), 0x80_0000);
        assert_eq!(access(&[26, 27, 28], -1).address(value), 0x92_12FE);
    }
}
