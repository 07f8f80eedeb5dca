// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flags that know what was done with them: for those who read code without executing it.

/// Flags, as bits of the architecture's status register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TracedFlags {
    /// Their values.
    pub bits: u32,
    /// Those that were looked at before they were set.
    pub read: u32,
    /// Those that were set.
    pub written: u32,
}

impl TracedFlags {
    /// Flags with these values.
    pub fn of(bits: u32) -> TracedFlags {
        TracedFlags { bits, read: 0, written: 0 }
    }

    pub(crate) fn get(&mut self, flag: u32) -> bool {
        self.read |= flag & !self.written;
        self.bits & flag != 0
    }

    pub(crate) fn set(&mut self, flag: u32, on: bool) {
        self.written |= flag;
        self.bits = self.bits & !flag | if on { flag } else { 0 };
    }
}
