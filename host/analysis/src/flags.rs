// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of flags.

use lichen_isa::TracedFlags;

/// Flags of which some are known, as bits of the architecture's status register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Flags {
    known: u32,
    /// Those that are not known are 0.
    bits: u32,
}

impl Flags {
    /// Of flags with these values, those are known.
    #[cfg(test)]
    pub(crate) fn of(known: u32, bits: u32) -> Flags {
        Flags { known, bits: bits & known }
    }

    /// Whether they may have these values.
    #[cfg(test)]
    pub(crate) fn fit(self, bits: u32) -> bool {
        self.bits == bits & self.known
    }

    /// Those of these flags that are known.
    #[cfg(test)]
    pub(crate) fn known(self, flags: u32) -> u32 {
        self.known & flags
    }

    /// These flags are no longer known.
    pub(crate) fn forget(&mut self, flags: u32) {
        self.known &= !flags;
        self.bits &= self.known;
    }

    /// A flag, if it is known.
    pub(crate) fn get(self, flag: u32) -> Option<bool> {
        (self.known & flag != 0).then_some(self.bits & flag != 0)
    }

    /// What is known if they are either of two.
    pub(crate) fn join(self, other: Flags) -> Flags {
        let known = self.known & other.known & !(self.bits ^ other.bits);
        Flags { known, bits: self.bits & known }
    }

    /// Does something with flags, whatever those may be that are not known: what it says each time, and what is known
    /// then.
    pub(crate) fn each<R>(
        self,
        mut act: impl FnMut(&mut TracedFlags) -> R,
        mut say: impl FnMut(R),
    ) -> Flags {
        let mut joined: Option<Flags> = None;
        let mut free = 0;
        let mut assumed = 0;
        loop {
            let mut flags = TracedFlags::of(self.bits | assumed);
            let result = act(&mut flags);
            free |= flags.read & !self.known;
            say(result);
            let known = self.known | flags.written;
            let behind = Flags { known, bits: flags.bits & known };
            joined = Some(joined.map_or(behind, |joined| joined.join(behind)));
            // The next combination of those that were looked at.
            assumed = assumed.wrapping_sub(free) & free;
            if assumed == 0 {
                return joined.unwrap_or_default();
            }
        }
    }

    /// What is known when something was done with values that are not.
    pub(crate) fn behind(self, act: impl FnOnce(&mut TracedFlags)) -> Flags {
        let mut flags = TracedFlags::of(self.bits);
        act(&mut flags);
        let mut behind = self;
        behind.forget(flags.written);
        behind
    }
}
