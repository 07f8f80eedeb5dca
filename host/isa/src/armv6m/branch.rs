// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes to the program counter from registers.

use super::Memory;
use super::core::Core;
use super::flow::{Exit, Flow};
use super::semantics::Jump;

impl Core {
    /// Branches to `target`. EXC_RETURN values end the handler; an even address has no instruction set.
    #[inline(always)]
    pub(super) fn jump(
        &mut self,
        flow: &mut Flow,
        memory: &Memory,
        how: Jump,
        target: u32,
        cycles: u64,
    ) -> Result<(), Exit> {
        if how == Jump::Exchange && target >> 28 == 0xF && self.exception != 0 {
            return Err(Exit::Return(target));
        }
        flow.land(memory, target & !1, cycles);
        if how != Jump::Move && target & 1 == 0 {
            self.thumb = false;
            self.attend();
        }
        Ok(())
    }
}
