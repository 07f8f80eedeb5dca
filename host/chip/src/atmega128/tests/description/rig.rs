// SPDX-License-Identifier: MIT OR Apache-2.0
//! A chip whose registers are written and read without a program.

use crate::atmega128::peripheral::ResetCause;
use crate::atmega128::sleep::Mode;
use crate::atmega128::soc::Soc;
use crate::{Config, Fuses, Output, Time, WarningKind};
use lichen_isa::avr8::{Bus, Memory};
use lichen_isa::{Cycle, Origin};

/// The system on the chip after a reset, in native mode, with both crystals.
pub(super) struct Rig {
    soc: Soc,
    memory: Memory,
    cycle: u64,
}

/// Cycles between two accesses: timed sequences have ended.
const PAUSE: u64 = 10;

impl Rig {
    pub fn new() -> Rig {
        let fuses = Fuses { low: 0xFF, high: 0xD9, extended: 0xFF, lock: 0xFF };
        let config = Config {
            xosc_hz: Some(1_000_000),
            xosc32k_hz: Some(32_768),
            fuses: Some(fuses),
            ..Config::default()
        };
        let mut soc = Soc::new(&config);
        soc.reset(Time::ZERO, ResetCause::PowerOn, 0);
        soc.set_mode(Time::ZERO, 0, Mode::Active);
        let mut rig = Rig { soc, memory: Memory::new(0x2_0000, 0x1100), cycle: 0 };
        rig.warnings();
        rig
    }

    /// Each access is made by another instruction.
    fn origin(&mut self) -> Origin {
        self.cycle += PAUSE;
        Origin { cycle: Cycle(self.cycle), pc: self.cycle as u32 }
    }

    fn warnings(&mut self) -> Vec<WarningKind> {
        let mut outputs = Vec::new();
        self.soc.take_outputs(&mut outputs);
        let warning = |output| match output {
            Output::Warning(warning) => Some(warning.kind),
            _ => None,
        };
        outputs.into_iter().filter_map(|output| warning(output.what)).collect()
    }

    /// What a write makes the chip report.
    pub fn warnings_of(&mut self, address: u8, value: u8) -> Vec<WarningKind> {
        let origin = self.origin();
        self.soc.write(&mut self.memory, origin, address.into(), value);
        self.warnings()
    }

    pub fn read(&mut self, address: u8) -> u8 {
        let origin = self.origin();
        self.soc.read(&mut self.memory, origin, address.into()).value as u8
    }
}
