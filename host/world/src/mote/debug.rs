// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mote under a debugger.

use super::Mote;
use lichen_chip::{Chip, Time};
use lichen_observe::Kernel;
use lichen_trace::Event;

impl Mote {
    /// The kernel of the image, if it is Lichen's.
    pub fn kernel(&self) -> Option<&Kernel> {
        self.firmware.kernel.as_ref()
    }

    /// The chip, for a debugger.
    pub(crate) fn chip_mut(&mut self) -> &mut dyn Chip {
        self.chip.as_mut()
    }

    /// Sets or clears a breakpoint of a debugger.
    pub(crate) fn set_breakpoint(&mut self, address: u32, on: bool) {
        let address = self.chip.core().architecture().instruction_address(address);
        match on {
            true => self.breakpoints.insert(address),
            false => self.breakpoints.remove(&address),
        };
        self.chip.core_mut().set_breakpoint(address, on || self.firmware.is_watched(address));
    }

    /// Executes one instruction, even if it has a breakpoint; less if something happens before, or
    /// if the processor sleeps until `until`.
    pub(crate) fn step(&mut self, until: Time, events: &mut Vec<Event>) {
        let first = events.len();
        self.plan_supply();
        let target = until.min(self.due());
        if self.firmware.is_watched(self.chip.core().pc()) {
            self.step_over_watched(target, events);
        } else {
            self.chip.core_mut().step(target);
        }
        self.settle(events);
        self.supply_crossed(events);
        self.close(events, first);
    }
}
