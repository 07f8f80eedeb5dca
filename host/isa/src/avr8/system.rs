// SPDX-License-Identifier: MIT OR Apache-2.0
//! The instructions that change what runs next or how, and self-programming.

use super::core::Core;
use super::op::{Op, Z};
use super::timing::{RETURN, SIMPLE};
use super::{Bus, Memory};
use crate::Reply;

impl Core {
    /// Executes an instruction that the fast path does not handle.
    pub(super) fn system<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B, op: Op) {
        let origin = self.here();
        match op {
            Op::Reti => return self.return_from_interrupt(memory, bus),
            Op::Sleep => {
                self.complete(SIMPLE);
                self.asleep = bus.sleep(origin);
            }
            Op::Wdr => {
                self.complete(SIMPLE);
                bus.watchdog_reset(origin);
            }
            Op::Spm => {
                let address = u32::from(self.rampz) << 16 | u32::from(self.pair(Z));
                let Reply { stall, .. } = bus.store_program(memory, origin, address, self.pair(0));
                self.stalled += u64::from(stall);
                self.complete(SIMPLE + u64::from(stall));
            }
            _ => debug_assert!(false, "{op:?} is executed by the fast path"),
        }
        self.listen(bus, self.flags.i);
    }

    fn complete(&mut self, cycles: u64) {
        self.pc = (self.pc + 1) & 0xFFFF;
        self.cycle += cycles;
        self.instructions += 1;
    }

    /// RETI: one more instruction is executed before the next interrupt is taken.
    fn return_from_interrupt<B: Bus>(&mut self, memory: &mut Memory, bus: &mut B) {
        let (to, stall) = self.pop_word(memory, bus, &self.flow());
        self.pc = to.into();
        self.cycle += RETURN + stall;
        self.instructions += 1;
        self.flags.i = true;
        self.interruptible_from = self.instructions + 1;
        self.leave_handler();
    }
}
