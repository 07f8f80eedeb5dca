// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Cortex-M0+ as a debugger sees it. (`gdbstub_arch` has only the classic ARM profile, whose
//! registers differ.)

use crate::status::{REGISTERS, Registers};
use gdbstub::arch::{self, Arch};

/// ARMv6-M.
pub(super) enum ArmV6M {}

impl Arch for ArmV6M {
    type Usize = u32;
    type Registers = Shown;
    type BreakpointKind = usize;
    type RegId = ();
}

/// All registers of a thread, in the order of the target description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown(pub Registers);

impl arch::Registers for Shown {
    type ProgramCounter = u32;

    fn pc(&self) -> u32 {
        self.0[15].unwrap_or(0)
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        for register in self.0 {
            for at in 0..4 {
                write_byte(register.map(|value| value.to_le_bytes()[at]));
            }
        }
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        if bytes.len() != REGISTERS * 4 {
            return Err(());
        }
        for (register, bytes) in self.0.iter_mut().zip(bytes.chunks_exact(4)) {
            *register = Some(u32::from_le_bytes(bytes.try_into().map_err(|_| ())?));
        }
        Ok(())
    }
}
