// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers as they go over the line. Their number and sizes are in the architecture's table, which
//! `gdbstub`, whose architectures are types, does not see.

use crate::Registers;
use gdbstub::arch::{self, Arch};
use lichen_isa::{Architecture, RegisterInfo, RegisterRole};

/// Any architecture with addresses of at most 32 bits.
pub(super) enum Any {}

impl Arch for Any {
    type Usize = u32;
    type Registers = Shown;
    type BreakpointKind = usize;
    type RegId = ();
}

/// The registers of a thread that the debugger knows, in their order: each in its bytes, `None` where
/// the value is not kept anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    bytes: Vec<Option<u8>>,
    pc: u32,
}

impl Shown {
    /// Registers numbered as in the table of `architecture`.
    pub fn of(architecture: &Architecture, registers: &Registers) -> Shown {
        let mut bytes = Vec::new();
        for (info, value) in known(architecture).iter().zip(registers) {
            let value = value.map(u32::to_le_bytes);
            bytes.extend((0..info.bytes()).map(|at| value.map(|bytes| bytes[at])));
        }
        let pc = architecture.register(RegisterRole::ProgramCounter);
        let pc = pc.and_then(|number| registers[number]).unwrap_or(0);
        Shown { bytes, pc }
    }

    /// The registers again; `None` if there are not as many bytes as the table says.
    pub fn registers(&self, architecture: &Architecture) -> Option<Registers> {
        let registers = known(architecture);
        if self.bytes.len() != registers.iter().map(RegisterInfo::bytes).sum::<usize>() {
            return None;
        }
        let mut rest = self.bytes.as_slice();
        let values = registers.iter().map(|info| {
            let (bytes, behind) = rest.split_at(info.bytes());
            rest = behind;
            let highest_first = bytes.iter().rev();
            highest_first.copied().try_fold(0, |value, byte| Some(value << 8 | u32::from(byte?)))
        });
        Some(values.collect())
    }
}

/// The registers that the debugger exchanges.
fn known(architecture: &Architecture) -> &'static [RegisterInfo] {
    &architecture.registers[..architecture.gdb_registers]
}

impl arch::Registers for Shown {
    type ProgramCounter = u32;

    fn pc(&self) -> u32 {
        self.pc
    }

    fn gdb_serialize(&self, write_byte: impl FnMut(Option<u8>)) {
        self.bytes.iter().copied().for_each(write_byte);
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        self.bytes = bytes.iter().copied().map(Some).collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_isa::armv6m::ARCHITECTURE;
    use lichen_isa::avr8;

    #[test]
    fn registers_come_back_as_they_went() {
        let registers: Registers = (0..21).map(|n| (n != 7).then_some(n * 0x0102_0304)).collect();
        let shown = Shown::of(&ARCHITECTURE, &registers);
        assert_eq!(shown.bytes.len(), 84);
        assert_eq!(shown.bytes[4..8], [4, 3, 2, 1].map(Some), "the lowest byte first");
        assert_eq!(shown.registers(&ARCHITECTURE).as_ref(), Some(&registers));
        assert_eq!(Shown::default().registers(&ARCHITECTURE), None);
    }

    #[test]
    fn narrow_registers_take_their_own_bytes_and_the_debugger_gets_those_it_knows() {
        let all = avr8::ARCHITECTURE.registers.len() as u32;
        let registers: Registers = (0..all).map(|n| (n != 7).then_some(n + 3)).collect();
        let shown = Shown::of(&avr8::ARCHITECTURE, &registers);
        assert_eq!((shown.bytes.len(), shown.pc), (32 + 1 + 2 + 4, 37), "no RAMPZ");
        assert_eq!(shown.bytes[33..35], [36, 0].map(Some), "two bytes of the stack pointer");
        let back = shown.registers(&avr8::ARCHITECTURE).expect("as many bytes");
        assert_eq!(back, registers[..35]);
    }
}
