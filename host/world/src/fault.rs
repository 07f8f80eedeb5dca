// SPDX-License-Identifier: MIT OR Apache-2.0
//! From which faults the firmware recovered.
//!
//! Firmware may take a fault on purpose: to probe whether an address answers, or because it
//! makes system calls with interrupts off. Such a fault is served: its handler returns, and the
//! program continues. A fault that is not served ends in a lockup, in a handler that never returns,
//! or in a reset.

use lichen_chip::{Chip, Time};
use lichen_trace::Place;
use std::collections::BTreeSet;

/// A run may end in the middle of a handler. At a place that was served before, a handler counts as
/// stuck only if it takes longer than this.
const PATIENCE: Time = Time::from_ms(1);

/// A fault from which the firmware did not recover.
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct UnservedFault {
    /// When it was taken.
    pub time: Time,
    /// What the processor's manual calls it, such as `HardFault`.
    pub name: String,
    /// What went wrong, in words.
    pub reason: String,
    /// The instruction.
    pub place: Place,
    /// The line of the program that led there, if it is one of the system and that is known.
    pub caller: Option<Place>,
    /// Its outcome.
    pub end: FaultEnd,
}

/// The outcome of a fault that was not served.
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub enum FaultEnd {
    /// Its handler has not returned, or returns to an instruction that faults again and again.
    Stuck,
    /// The chip was reset before the handler had returned; the cause.
    Reset(String),
    /// The core locked up.
    Lockup,
}

/// The latest fault.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
struct Taken {
    fault: UnservedFault,
    /// Instructions executed until its handler began.
    instructions: u64,
}

/// Follows the faults of one mote.
#[derive(Clone, Debug, Default, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Faults {
    last: Option<Taken>,
    /// Where faults were served.
    served: BTreeSet<u32>,
    first_unserved: Option<UnservedFault>,
}

impl Faults {
    /// The core stands before the first instruction of the fault's handler. False if the handler
    /// has returned and changed nothing, so that the same fault comes again.
    pub(crate) fn taken(
        &mut self,
        chip: &dyn Chip,
        time: Time,
        reason: &str,
        place: &Place,
        caller: Option<Place>,
    ) -> bool {
        let instructions = chip.instructions();
        let at_once = chip.core().fault_return() == Some(instructions);
        match &mut self.last {
            Some(last) if at_once && last.fault.place.pc == place.pc => {
                last.instructions = instructions;
                return false;
            }
            last => self.served.extend(last.take().and_then(|last| last.fault.place.pc)),
        }
        let fault =
            UnservedFault { caller, ..unserved(chip, time, reason, place, FaultEnd::Stuck) };
        self.last = Some(Taken { fault, instructions });
        true
    }

    /// The core locked up because of a fault at `place`.
    pub(crate) fn locked_up(&mut self, chip: &dyn Chip, time: Time, reason: &str, place: &Place) {
        let fault = self.last.take().filter(|last| last.is_open(chip)).map(|last| last.fault);
        let fault = fault.unwrap_or_else(|| unserved(chip, time, reason, place, FaultEnd::Lockup));
        self.first_unserved.get_or_insert(UnservedFault { end: FaultEnd::Lockup, ..fault });
    }

    /// The chip starts again.
    pub(crate) fn reset(&mut self, chip: &dyn Chip, cause: &str) {
        if let Some(last) = self.last.take().filter(|last| last.is_open(chip)) {
            let fault = UnservedFault { end: FaultEnd::Reset(cause.to_string()), ..last.fault };
            self.first_unserved.get_or_insert(fault);
        }
    }

    /// The supply fails, which ends a handler under way.
    pub(crate) fn power_failed(&mut self) {
        self.last = None;
    }

    /// The first fault that was not served, if the run ended now.
    pub(crate) fn first_unserved(&self, chip: &dyn Chip) -> Option<UnservedFault> {
        let stuck = || Some(&self.last.as_ref().filter(|last| self.is_stuck(last, chip))?.fault);
        self.first_unserved.as_ref().or_else(stuck).cloned()
    }

    fn is_stuck(&self, last: &Taken, chip: &dyn Chip) -> bool {
        let pc = last.fault.place.pc;
        let known = pc.is_some_and(|pc| self.served.contains(&pc));
        let repeats =
            chip.core().fault_return() == Some(chip.instructions()) && pc == Some(chip.core().pc());
        let long = chip.now() - last.fault.time >= PATIENCE;
        (last.is_open(chip) || repeats) && (long || !known)
    }
}

impl Taken {
    /// Whether its handler has not returned.
    fn is_open(&self, chip: &dyn Chip) -> bool {
        chip.core().fault_return() <= Some(self.instructions)
    }
}

fn unserved(
    chip: &dyn Chip,
    time: Time,
    reason: &str,
    place: &Place,
    end: FaultEnd,
) -> UnservedFault {
    let name = chip.core().architecture().fault.to_string();
    UnservedFault {
        time,
        name,
        reason: reason.to_string(),
        place: place.clone(),
        caller: None,
        end,
    }
}
