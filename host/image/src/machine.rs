// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machines whose images can be read.

use object::elf;
use std::fmt;

/// The machine that an image is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// ARM.
    Arm,
    /// AVR. Addresses are those of its compiler: flash at 0, data at 0x80_0000, EEPROM at 0x81_0000.
    Avr,
}

impl Machine {
    /// All of them.
    pub const ALL: [Machine; 2] = [Machine::Arm, Machine::Avr];

    /// Its number in the header of an ELF file (`e_machine`).
    pub fn number(self) -> u16 {
        match self {
            Machine::Arm => elf::EM_ARM,
            Machine::Avr => elf::EM_AVR,
        }
    }

    /// Bytes of a pointer, where the debug information does not say.
    pub(crate) fn pointer_bytes(self) -> u32 {
        match self {
            Machine::Arm => 4,
            Machine::Avr => 2,
        }
    }

    /// The machine with this number.
    pub(crate) fn numbered(number: u16) -> Option<Machine> {
        Machine::ALL.into_iter().find(|machine| machine.number() == number)
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&name(self.number()))
    }
}

/// The name of a machine, or its number.
pub(crate) fn name(number: u16) -> String {
    match number {
        elf::EM_ARM => "ARM".to_string(),
        elf::EM_386 => "x86".to_string(),
        elf::EM_X86_64 => "x86-64".to_string(),
        elf::EM_AARCH64 => "AArch64".to_string(),
        elf::EM_AVR => "AVR".to_string(),
        elf::EM_MSP430 => "MSP430".to_string(),
        elf::EM_RISCV => "RISC-V".to_string(),
        elf::EM_XTENSA => "Xtensa".to_string(),
        other => format!("machine number {other}"),
    }
}

/// The names of the machines whose images can be read, in words.
pub(crate) fn known() -> String {
    Machine::ALL.map(|machine| machine.to_string()).join(" and ")
}
