// SPDX-License-Identifier: MIT OR Apache-2.0
//! FDPLL96M: a phase locked loop with a fractional multiplier (data sheet, SYSCTRL, "Fractional
//! Digital Phase Locked Loop (FDPLL96M)").

use super::oscillator::Control;
use crate::Time;
use crate::clock::Clock;

const WUF: u32 = 1 << 3;
const LBYPASS: u32 = 1 << 12;

/// Reference of the loop (DPLLCTRLB.REFCLK).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference {
    Xosc32k,
    Xosc,
    Generic,
}

/// The loop and its registers.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Dpll {
    /// DPLLCTRLA.
    pub control_a: u32,
    /// DPLLCTRLB.
    pub control_b: u32,
    /// DPLLRATIO.
    pub ratio: u32,
    run: Option<Run>,
}

#[derive(Clone, Copy, Debug, PartialEq, borsh::BorshSerialize, borsh::BorshDeserialize)]
struct Run {
    reference: Option<Clock>,
    /// When the output is phase locked; [`Time::NEVER`] without reference.
    lock_at: Time,
    locked: bool,
}

impl Dpll {
    pub fn new() -> Dpll {
        Dpll { control_a: 0x80, control_b: 0, ratio: 0, run: None }
    }

    pub fn reset(&mut self) {
        *self = Dpll::new();
    }

    pub fn runs(&self, requested: bool, standby: bool) -> bool {
        Control::of(self.control_a).runs(requested, standby)
    }

    /// Which clock it multiplies.
    pub fn reference(&self) -> Reference {
        match self.control_b >> 4 & 3 {
            0 => Reference::Xosc32k,
            1 => Reference::Xosc,
            _ => Reference::Generic,
        }
    }

    /// The crystal's divider for the reference: 2 * (DIV + 1).
    pub fn crystal_divider(&self) -> u64 {
        2 * (u64::from(self.control_b >> 16 & 0x7FF) + 1)
    }

    /// Starts or stops the loop.
    pub fn update(&mut self, runs: bool) {
        match self.run {
            None if runs => {
                self.run = Some(Run { reference: None, lock_at: Time::NEVER, locked: false });
            }
            Some(_) if !runs => self.run = None,
            _ => {}
        }
    }

    /// The reference is now this clock. Locking starts again if it changed.
    pub fn set_reference(&mut self, now: Time, reference: Option<Clock>) {
        let Some(run) = &mut self.run else { return };
        if run.reference != reference {
            let lock_at = reference.map_or(Time::NEVER, |clock| now + lock_time(&clock));
            *run = Run { reference, lock_at, locked: false };
        }
    }

    pub fn due(&self) -> Time {
        match self.run {
            Some(run) if !run.locked => run.lock_at,
            _ => Time::NEVER,
        }
    }

    pub fn fire(&mut self, now: Time) {
        if let Some(run) = &mut self.run {
            run.locked |= run.lock_at <= now;
        }
    }

    /// Whether it is on, locked or not.
    pub fn is_on(&self) -> bool {
        self.run.is_some()
    }

    /// Whether it has locked.
    pub fn is_locked(&self) -> bool {
        self.run.is_some_and(|run| run.locked)
    }

    /// DPLLSTATUS.
    pub fn status(&self) -> u32 {
        let enable = Control::of(self.control_a).enable;
        u32::from(self.is_locked())
            | u32::from(self.output().is_some()) << 1
            | u32::from(enable) << 2
            | u32::from(enable && self.reference() == Reference::Xosc) << 3
    }

    /// Its output, if there is one: reference * (LDR + 1 + LDRFRAC / 16).
    pub fn output(&self) -> Option<Clock> {
        let run = self.run?;
        let early = self.control_b & (WUF | LBYPASS) != 0;
        let sixteenths = ((u64::from(self.ratio & 0xFFF) + 1) << 4) + u64::from(self.ratio >> 16);
        run.reference
            .filter(|_| run.locked || early)
            .map(|reference| reference.multiplied(sixteenths, 16))
    }
}

/// Time to lock (data sheet, "FDPLL96M Characteristics": 1.3 ms at a 32 kHz reference, 25 us at 2
/// MHz; in between, the time of 50 reference periods).
fn lock_time(reference: &Clock) -> Time {
    reference.span(50).max(Time::from_us(25)).min(Time::from_us(1_300))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_multiplies_the_reference_by_a_fraction_once_locked() {
        let mut dpll = Dpll::new();
        dpll.control_a = 2;
        dpll.control_b = 2 << 4;
        dpll.ratio = 1_463 | 13 << 16;
        dpll.update(true);
        dpll.set_reference(Time::ZERO, Some(Clock::new(Time::ZERO, 32_768)));
        assert_eq!(dpll.due(), Time::from_us(1_300));
        assert_eq!((dpll.output(), dpll.status()), (None, 4));
        dpll.fire(Time::from_us(1_300));
        assert_eq!(dpll.output().map(|clock| clock.hz()), Some(32_768 * (1_464 * 16 + 13) / 16));
        assert_eq!(dpll.status(), 7);
    }

    #[test]
    fn without_waiting_for_the_lock_the_output_is_there_at_once() {
        for (control_b, early) in [(2 << 4, false), (2 << 4 | WUF, true), (2 << 4 | LBYPASS, true)]
        {
            let mut dpll = Dpll::new();
            (dpll.control_a, dpll.control_b, dpll.ratio) = (2, control_b, 47);
            dpll.update(true);
            dpll.set_reference(Time::ZERO, Some(Clock::new(Time::ZERO, 1_000_000)));
            assert_eq!(dpll.output().map(|clock| clock.hz()), early.then_some(48_000_000));
            assert!(!dpll.is_locked());
        }
    }
}
