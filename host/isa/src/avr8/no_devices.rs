// SPDX-License-Identifier: MIT OR Apache-2.0
//! An empty bus.

use super::{Bus, Memory};
use crate::{Cycle, Origin, Reply};

/// An empty bus: reads as 0, nothing interrupts, nothing is ever due, SLEEP does nothing, and flash
/// cannot be written. For cores that run by themselves, in tests and measurements.
pub struct NoDevices;

impl Bus for NoDevices {
    fn read(&mut self, _: &mut Memory, _: Origin, _: u16) -> Reply {
        Reply { value: 0, stall: 0 }
    }

    fn write(&mut self, _: &mut Memory, _: Origin, _: u16, _: u8) -> Reply {
        Reply { value: 0, stall: 0 }
    }

    fn lines(&self) -> u64 {
        0
    }

    fn acknowledge(&mut self, _: &mut Memory, _: Origin, _: u32) {}

    #[inline]
    fn load_program(&mut self, memory: &mut Memory, _: Origin, address: u32) -> u8 {
        memory.flash_byte(address)
    }

    fn store_program(&mut self, _: &mut Memory, _: Origin, _: u32, _: u16) -> Reply {
        Reply { value: 0, stall: 0 }
    }

    fn watchdog_reset(&mut self, _: Origin) {}

    fn sleep(&mut self, _: Origin) -> bool {
        false
    }

    fn undefined(&mut self, _: Origin, _: u16) {}

    fn horizon(&self) -> Cycle {
        Cycle::NEVER
    }
}
