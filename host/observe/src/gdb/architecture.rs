// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers as they go over the line. Their number and sizes are in the architecture's table, which
//! `gdbstub`, whose architectures are types, does not see.

use crate::Registers;
use gdbstub::arch::{self, Arch};
use lichen_isa::{Architecture, RegisterRole};

/// Any architecture with addresses of at most 32 bits.
pub(super) enum Any {}

impl Arch for Any {
    type Usize = u32;
    type Registers = Shown;
    type BreakpointKind = usize;
    type RegId = ();
}

/// All registers of a thread, in the order of the target description: each in its bytes, `None` where
/// the value is not kept anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    bytes: Vec<Option<u8>>,
    pc: u32,
}

impl Shown {
    /// Registers numbered as in the table of `architecture`.
    pub fn of(architecture: &Architecture, registers: &Registers) -> Shown {
        let mut bytes = Vec::with_capacity(architecture.register_bytes());
        for (info, value) in architecture.registers.iter().zip(registers) {
            let value = value.map(u32::to_le_bytes);
            bytes.extend((0..info.bytes()).map(|at| value.map(|bytes| bytes[at])));
        }
        let pc = architecture.register(RegisterRole::ProgramCounter);
        let pc = pc.and_then(|number| registers[number]).unwrap_or(0);
        Shown { bytes, pc }
    }

    /// The registers again; `None` if there are not as many bytes as the table says.
    pub fn registers(&self, architecture: &Architecture) -> Option<Registers> {
        if self.bytes.len() != architecture.register_bytes() {
            return None;
        }
        let mut rest = self.bytes.as_slice();
        let values = architecture.registers.iter().map(|info| {
            let (bytes, behind) = rest.split_at(info.bytes());
            rest = behind;
            let highest_first = bytes.iter().rev();
            highest_first.copied().try_fold(0, |value, byte| Some(value << 8 | u32::from(byte?)))
        });
        Some(values.collect())
    }
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
    use lichen_isa::{RegisterInfo, RegisterKind};

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
    fn narrow_registers_take_their_own_bytes() {
        const BYTE: RegisterInfo = RegisterInfo {
            name: "r0",
            bits: 8,
            kind: RegisterKind::Integer,
            role: None,
            group: "general",
            feature: "org.gnu.gdb.avr.cpu",
        };
        let pc =
            RegisterInfo { name: "pc", bits: 32, role: Some(RegisterRole::ProgramCounter), ..BYTE };
        let registers = Box::leak(Box::new([BYTE, BYTE, pc]));
        let avr = Architecture { registers, ..ARCHITECTURE };
        let values: Registers = vec![Some(0x12), None, Some(0x3456)];
        let shown = Shown::of(&avr, &values);
        assert_eq!((shown.bytes.len(), shown.pc), (6, 0x3456));
        assert_eq!(shown.registers(&avr), Some(values));
    }
}
