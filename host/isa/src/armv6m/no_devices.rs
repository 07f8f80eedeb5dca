// SPDX-License-Identifier: MIT OR Apache-2.0
//! An empty bus.

use super::{Bus, Memory};
use crate::{Cycle, NoDevice, Origin, Reply, Width};

/// An empty bus: every access faults, nothing interrupts, nothing is ever due. For cores
/// that run by themselves, in tests and measurements.
pub struct NoDevices;

impl Bus for NoDevices {
    fn read(&mut self, _: &mut Memory, _: Origin, _: u32, _: Width) -> Result<Reply, NoDevice> {
        Err(NoDevice)
    }

    fn write(
        &mut self,
        _: &mut Memory,
        _: Origin,
        _: u32,
        _: Width,
        _: u32,
    ) -> Result<Reply, NoDevice> {
        Err(NoDevice)
    }

    fn lines(&self) -> u32 {
        0
    }

    fn horizon(&self) -> Cycle {
        Cycle::NEVER
    }
}
