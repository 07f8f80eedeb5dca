// SPDX-License-Identifier: MIT OR Apache-2.0
//! DFLL48M: a digitally controlled oscillator, alone or locked to a reference (data sheet, SYSCTRL,
//! "Digital Frequency Locked Loop (DFLL48M) Operation").

use super::oscillator::{Control, drifted};
use crate::clock::Clock;
use crate::samr21::factory;
use crate::{OFF, Time};

const MODE: u32 = 1 << 2;
const LLAW: u32 = 1 << 4;
const USBCRM: u32 = 1 << 5;
const BPLCKC: u32 = 1 << 10;
const WAITLOCK: u32 = 1 << 11;

/// Time from enabling to a running output (data sheet, "DFLL48M Characteristics - Open Loop").
const STARTUP: Time = Time::from_us(8);
/// Time until a write of one of the DFLL's registers has crossed into it.
const WRITE_SYNC: Time = Time::from_ns(500);
/// Time from a running reference to the coarse and to the fine lock (typical value of "Lock time"
/// in "DFLL48M Characteristics - Close Loop"; the coarse part of it is an assumption).
const COARSE_LOCK: Time = Time::from_us(100);
const FINE_LOCK: Time = Time::from_us(200);

/// The DFLL and its registers.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(super) struct Dfll {
    /// DFLLCTRL.
    pub control: u32,
    /// COARSE and FINE as written, or as found by the lock.
    value: u32,
    /// DFLLMUL.
    pub multiplier: u32,
    /// When the latest write has crossed.
    synchronized: Time,
    synchronizing: bool,
    run: Option<Run>,
    /// Lock bits that outlive standby (LLAW = 0).
    kept_lock: bool,
    drift_ppm: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, borsh::BorshSerialize, borsh::BorshDeserialize)]
struct Run {
    /// The output without lock.
    open: Clock,
    ready: bool,
    reference: Option<Clock>,
    coarse_at: Time,
    fine_at: Time,
    coarse: bool,
    fine: bool,
}

impl Dfll {
    pub fn new(drift_ppm: i32) -> Dfll {
        Dfll {
            control: 0x80,
            value: 0,
            multiplier: 0,
            synchronized: Time::ZERO,
            synchronizing: false,
            run: None,
            kept_lock: false,
            drift_ppm,
        }
    }

    pub fn reset(&mut self) {
        *self = Dfll::new(self.drift_ppm);
    }

    fn closed_loop(&self) -> bool {
        self.control & MODE != 0
    }

    /// Whether it needs the generic clock of its reference while it runs.
    pub fn wants_reference(&self) -> bool {
        self.closed_loop() && self.control & USBCRM == 0
    }

    pub fn runs(&self, requested: bool, standby: bool) -> bool {
        Control::of(self.control).runs(requested, standby)
    }

    /// Frequency without lock, in Hz: 48 MHz at the factory's calibration, about 2 % a coarse step
    /// and 0.04 % a fine step.
    fn open_loop_hz(&self) -> u32 {
        let coarse = i64::from(self.value >> 10 & 0x3F) - i64::from(factory::DFLL_COARSE);
        let fine = i64::from(self.value & 0x3FF) - i64::from(factory::DFLL_FINE);
        (48_000_000 + coarse * 960_000 + fine * 19_200) as u32
    }

    fn open_loop(&self, start: Time) -> Clock {
        Clock::from_millihertz(start, drifted(self.open_loop_hz(), self.drift_ppm))
    }

    /// A register was written.
    pub fn written(&mut self, now: Time) {
        self.synchronized = now + WRITE_SYNC;
        self.synchronizing = true;
    }

    pub fn set_control(&mut self, now: Time, value: u32) {
        let loop_changed = (self.control ^ value) & (MODE | USBCRM | 2) != 0;
        self.control = value;
        self.written(now);
        if loop_changed {
            self.kept_lock = false;
            if let Some(run) = &mut self.run {
                *run = Run { reference: None, coarse: false, fine: false, ..*run };
            }
        }
    }

    pub fn set_value(&mut self, now: Time, value: u32) {
        self.value = value & 0xFFFF;
        self.written(now);
        let open = self.open_loop(now);
        if let Some(run) = self.run.as_mut().filter(|run| run.ready) {
            run.open = open;
        }
    }

    pub fn set_multiplier(&mut self, now: Time, value: u32) {
        self.multiplier = value;
        self.written(now);
        if let Some(run) = &mut self.run {
            *run = Run { reference: None, coarse: false, fine: false, ..*run };
        }
    }

    /// DFLLVAL as read: the present values, no difference.
    pub fn value(&self) -> u32 {
        self.value
    }

    /// Starts or stops the oscillator.
    pub fn update(&mut self, now: Time, runs: bool) {
        match self.run {
            None if runs => {
                let open = self.open_loop(now + STARTUP);
                self.synchronized = self.synchronized.max(open.start);
                self.synchronizing = true;
                let (coarse, fine) = (self.kept_lock, self.kept_lock);
                let never = Time::NEVER;
                self.run = Some(Run {
                    open,
                    ready: false,
                    reference: None,
                    coarse_at: never,
                    fine_at: never,
                    coarse,
                    fine,
                });
            }
            Some(run) if !runs => {
                let enabled = Control::of(self.control).enable;
                self.kept_lock = enabled && run.fine && self.control & LLAW == 0;
                self.run = None;
            }
            _ => {}
        }
    }

    /// The reference is now this clock. Locking starts again if it changed.
    pub fn set_reference(&mut self, now: Time, reference: Option<Clock>) {
        let reference = reference.filter(|_| self.wants_reference());
        let Some(run) = &mut self.run else { return };
        if run.reference == reference {
            return;
        }
        let begin = now.max(run.open.start);
        let lock_kept = run.fine && run.reference.is_none();
        run.reference = reference;
        if reference.is_none() || lock_kept {
            return;
        }
        let at = |delay| if reference.is_some() { begin + delay } else { Time::NEVER };
        (run.coarse, run.fine) = (false, false);
        run.coarse_at = at(if self.control & BPLCKC != 0 { Time::ZERO } else { COARSE_LOCK });
        run.fine_at = at(FINE_LOCK);
    }

    pub fn due(&self) -> Time {
        let mut due = if self.synchronizing { self.synchronized } else { Time::NEVER };
        if let Some(run) = self.run {
            if !run.ready {
                due = due.min(run.open.start);
            }
            if !run.coarse {
                due = due.min(run.coarse_at);
            }
            if !run.fine {
                due = due.min(run.fine_at);
            }
        }
        due
    }

    pub fn fire(&mut self, now: Time) {
        self.synchronizing &= now < self.synchronized;
        let Some(run) = &mut self.run else { return };
        run.ready |= run.open.start <= now;
        run.coarse |= run.coarse_at <= now;
        if !run.fine && run.fine_at <= now {
            run.fine = true;
            self.value = factory::DFLL_COARSE << 10 | factory::DFLL_FINE;
        }
    }

    /// DFLLRDY: the registers can be accessed.
    pub fn is_synchronized(&self) -> bool {
        !self.synchronizing
    }

    /// DFLLLCKC and DFLLLCKF.
    pub fn locks(&self) -> (bool, bool) {
        self.run.map_or((false, false), |run| (run.coarse, run.fine))
    }

    /// Its state, as far as it determines its current.
    pub fn activity(&self) -> &'static str {
        match self.run {
            None => OFF,
            Some(_) if self.closed_loop() => "closed loop",
            Some(_) => "open loop",
        }
    }

    /// Its output, if there is one.
    pub fn output(&self) -> Option<Clock> {
        let run = self.run.filter(|run| run.ready)?;
        let factor = u64::from(self.multiplier & 0xFFFF);
        match run.reference {
            Some(reference) if run.fine && factor > 0 => Some(reference.multiplied(factor, 1)),
            _ if self.wants_reference() && self.control & WAITLOCK != 0 => None,
            _ => Some(run.open),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENABLE: u32 = 2;

    fn calibrated() -> Dfll {
        let mut dfll = Dfll::new(0);
        dfll.set_value(Time::ZERO, factory::DFLL_COARSE << 10 | factory::DFLL_FINE);
        dfll
    }

    fn run_until(dfll: &mut Dfll, until: Time) {
        while dfll.due() <= until {
            let due = dfll.due();
            dfll.fire(due);
        }
    }

    #[test]
    fn in_open_loop_the_factory_value_gives_48_mhz() {
        let mut dfll = calibrated();
        dfll.set_control(Time::ZERO, ENABLE);
        dfll.update(Time::ZERO, true);
        assert!(!dfll.is_synchronized());
        run_until(&mut dfll, STARTUP);
        assert!(dfll.is_synchronized());
        assert_eq!(dfll.output().map(|clock| clock.hz()), Some(48_000_000));
    }

    #[test]
    fn in_closed_loop_it_locks_coarse_then_fine_to_a_multiple_of_the_reference() {
        let mut dfll = calibrated();
        dfll.set_multiplier(Time::ZERO, 1_464);
        dfll.set_control(Time::ZERO, ENABLE | MODE | WAITLOCK);
        dfll.update(Time::ZERO, true);
        dfll.set_reference(Time::ZERO, Some(Clock::new(Time::ZERO, 32_768)));
        run_until(&mut dfll, Time::from_us(150));
        assert_eq!(dfll.locks(), (true, false));
        assert_eq!(dfll.output(), None);
        run_until(&mut dfll, Time::from_us(210));
        assert_eq!(dfll.locks(), (true, true));
        assert_eq!(dfll.output().map(|clock| clock.hz()), Some(32_768 * 1_464));
    }

    #[test]
    fn without_reference_it_never_locks() {
        let mut dfll = calibrated();
        dfll.set_control(Time::ZERO, ENABLE | MODE | WAITLOCK);
        dfll.update(Time::ZERO, true);
        dfll.set_reference(Time::ZERO, None);
        run_until(&mut dfll, Time::from_s(1));
        assert_eq!(dfll.locks(), (false, false));
        assert_eq!(dfll.output(), None);
    }

    /// One that locked to a reference, and then stood for a while as in standby.
    fn after_standby(control: u32) -> Dfll {
        let mut dfll = calibrated();
        dfll.set_multiplier(Time::ZERO, 1_464);
        dfll.set_control(Time::ZERO, ENABLE | MODE | control);
        let reference = Some(Clock::new(Time::ZERO, 32_768));
        dfll.update(Time::ZERO, true);
        dfll.set_reference(Time::ZERO, reference);
        run_until(&mut dfll, Time::from_ms(1));
        assert_eq!(dfll.locks(), (true, true));
        dfll.update(Time::from_ms(1), false);
        dfll.update(Time::from_ms(2), true);
        dfll.set_reference(Time::from_ms(2), reference);
        dfll
    }

    #[test]
    fn the_lock_is_lost_after_standby_if_that_is_chosen() {
        assert_eq!(after_standby(0).locks(), (true, true));
        assert_eq!(after_standby(LLAW).locks(), (false, false));
    }

    /// One that begins to lock with this additional control.
    fn locking(control: u32) -> Dfll {
        let mut dfll = calibrated();
        dfll.set_multiplier(Time::ZERO, 1_464);
        dfll.set_control(Time::ZERO, ENABLE | MODE | control);
        dfll.update(Time::ZERO, true);
        dfll.set_reference(Time::ZERO, Some(Clock::new(Time::ZERO, 32_768)));
        run_until(&mut dfll, Time::from_us(50));
        dfll
    }

    #[test]
    fn the_coarse_lock_is_bypassed_if_that_is_chosen() {
        assert_eq!(locking(0).locks(), (false, false));
        assert_eq!(locking(BPLCKC).locks(), (true, false));
    }

    #[test]
    fn the_output_waits_for_the_lock_if_that_is_chosen() {
        assert!(locking(0).output().is_some());
        assert!(locking(WAITLOCK).output().is_none());
    }
}
