// SPDX-License-Identifier: MIT OR Apache-2.0
//! Free-running oscillators: whether they run, since when, how fast.

use crate::Time;
use crate::clock::Clock;
use borsh::{BorshDeserialize, BorshSerialize};

/// Control bits that all oscillators have in common, at the same places in their registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Control {
    /// ENABLE.
    pub enable: bool,
    /// RUNSTDBY.
    pub run_standby: bool,
    /// ONDEMAND.
    pub on_demand: bool,
}

impl Control {
    pub fn of(register: u32) -> Control {
        Control {
            enable: register & 1 << 1 != 0,
            run_standby: register & 1 << 6 != 0,
            on_demand: register & 1 << 7 != 0,
        }
    }

    /// Whether the oscillator runs (data sheet, "Sleep Mode Operation" of SYSCTRL).
    pub fn runs(self, requested: bool, standby: bool) -> bool {
        self.enable && (self.run_standby || !standby) && (requested || !self.on_demand)
    }
}

/// An oscillator, running or stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Oscillator {
    run: Option<Run>,
    /// It takes until its next edge to stop.
    lingers: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
struct Run {
    millihertz: u64,
    /// The output, from the moment at which it is stable.
    clock: Clock,
    ready: bool,
    /// It was told to stop, and stops at this time.
    stops_at: Option<Time>,
}

impl Oscillator {
    /// A stopped oscillator. Once running, it stops at its next edge: if it is switched off and on
    /// again before that, it continues without a new start-up.
    pub fn lingering() -> Oscillator {
        Oscillator { run: None, lingers: true }
    }

    /// As [`Oscillator::update_in`], in phase with `now`.
    pub fn update(
        &mut self,
        now: Time,
        runs: bool,
        millihertz: Option<u64>,
        startup: Time,
    ) -> bool {
        self.update_in(Time::ZERO, now, runs, millihertz, startup)
    }

    /// Updates the oscillator at `now`. If it is to be started, it is ready `startup` later, and `phase` before its first edge;
    /// without `millihertz` there is nothing to oscillate, and it never becomes ready. A change of
    /// frequency while it runs takes effect at once. Returns whether something changed.
    pub fn update_in(
        &mut self,
        phase: Time,
        now: Time,
        runs: bool,
        millihertz: Option<u64>,
        startup: Time,
    ) -> bool {
        let old = self.run;
        self.run = match (millihertz, self.run) {
            (Some(millihertz), Some(run)) if runs => {
                let run = Run { stops_at: None, ..run };
                if millihertz == run.millihertz {
                    Some(run)
                } else {
                    let clock = Clock::from_millihertz(now.max(run.clock.start), millihertz);
                    Some(Run { millihertz, clock, ..run })
                }
            }
            (Some(millihertz), None) if runs => {
                let clock = Clock::from_millihertz(now + startup + phase, millihertz);
                Some(Run { millihertz, clock, ready: startup == Time::ZERO, stops_at: None })
            }
            (_, Some(run)) if self.lingers && run.ready => {
                let at = run.stops_at.unwrap_or_else(|| run.clock.nth_after(now, 1));
                (now < at).then_some(Run { stops_at: Some(at), ..run })
            }
            _ => None,
        };
        self.run != old
    }

    /// When it becomes ready, or has stopped, if it is starting or stopping.
    pub fn due(&self) -> Time {
        match self.run {
            Some(run) if !run.ready => run.clock.start,
            Some(run) => run.stops_at.unwrap_or(Time::NEVER),
            None => Time::NEVER,
        }
    }

    /// Records that it is ready, or has stopped, if that is so at `now`.
    pub fn fire(&mut self, now: Time) {
        if let Some(run) = &mut self.run {
            run.ready |= run.clock.start <= now;
        }
        if self.run.is_some_and(|run| run.stops_at.is_some_and(|at| at <= now)) {
            self.run = None;
        }
    }

    /// Whether it is on, its output stable or not.
    pub fn is_on(&self) -> bool {
        self.run.is_some()
    }

    /// Whether it is on and its output stable.
    pub fn is_ready(&self) -> bool {
        self.run.is_some_and(|run| run.ready && run.stops_at.is_none())
    }

    /// Its output, if it is stable.
    pub fn output(&self) -> Option<Clock> {
        self.run.filter(|run| run.ready).map(|run| run.clock)
    }

    /// Stops it.
    pub fn stop(&mut self) {
        self.run = None;
    }
}

/// `hz` with a deviation of `ppm`, in millihertz.
pub(super) fn drifted(hz: u32, ppm: i32) -> u64 {
    let millionths = (1_000_000 + i64::from(ppm)).max(1) as u64;
    u64::from(hz) * millionths / 1_000
}

/// Frequency of the 32 kHz oscillators in Hz.
pub(super) const WATCH_HZ: u32 = 32_768;

/// Length of `n` periods of a nominal 32 kHz oscillator, in which start-up times are counted.
pub(super) fn watch_periods(n: u64) -> Time {
    Clock::new(Time::ZERO, WATCH_HZ as u64).span(n)
}

/// Start-up time of the watch crystal by XOSC32K.STARTUP (data sheet, "Start-Up Time for 32 kHz
/// External Crystal Oscillator").
pub(super) fn xosc32k_startup(field: u32) -> Time {
    const CYCLES: [u64; 8] = [1, 32, 2_048, 4_096, 16_384, 32_768, 65_536, 131_072];
    watch_periods(CYCLES[field as usize & 7] + 3)
}

/// Start-up time of OSC32K by OSC32K.STARTUP (data sheet, "Start-Up Time for 32 kHz Internal
/// Oscillator").
pub(super) fn osc32k_startup(field: u32) -> Time {
    watch_periods(2 + (1 << (field & 7)))
}

/// Start-up time of the main crystal by XOSC.STARTUP (data sheet, "Start-Up Time for External
/// Multipurpose Crystal Oscillator"), without its three own cycles.
pub(super) fn xosc_startup(field: u32) -> Time {
    watch_periods(1 << (field & 15))
}

/// Start-up time of OSC8M (data sheet, "8 MHz Internal RC Oscillator Characteristics").
pub(super) const OSC8M_STARTUP: Time = Time::from_ns(2_100);

/// Frequency of OSC8M before its prescaler, in Hz: the range FRANGE, within which the fine part of
/// CALIB is linear.
pub(super) fn osc8m_hz(register: u32) -> u32 {
    const RANGES_MHZ: [(i64, i64); 4] = [(4, 6), (6, 8), (8, 11), (11, 15)];
    let (low, high) = RANGES_MHZ[(register >> 30) as usize];
    let steps = i64::from(register >> 16 & 0x7F) - i64::from(super::factory::OSC8M_CALIB & 0x7F);
    (low * 1_000_000 + (high - low) * 1_000_000 * steps / 128) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_ready_after_its_start_up_time_and_not_before() {
        let mut oscillator = Oscillator::default();
        assert!(oscillator.update(
            Time::from_units(100),
            true,
            Some(8_000_000_000),
            Time::from_units(50)
        ));
        assert_eq!(oscillator.due(), Time::from_units(150));
        assert_eq!(oscillator.output(), None);
        oscillator.fire(Time::from_units(150));
        assert_eq!(oscillator.output().map(|clock| clock.start), Some(Time::from_units(150)));
        assert!(!oscillator.update(
            Time::from_units(200),
            true,
            Some(8_000_000_000),
            Time::from_units(50)
        ));
        assert!(oscillator.update(
            Time::from_units(200),
            false,
            Some(8_000_000_000),
            Time::from_units(50)
        ));
        assert!(!oscillator.is_ready());
    }

    #[test]
    fn one_that_lingers_goes_on_if_it_is_back_on_before_its_next_edge() {
        let (startup, hz) = (Time::from_us(50), Some(32_768_000));
        let mut oscillator = Oscillator::lingering();
        oscillator.update(Time::ZERO, true, hz, startup);
        oscillator.fire(startup);
        let clock = oscillator.output();
        let off = Time::from_us(60);
        oscillator.update(off, false, hz, startup);
        assert_eq!((oscillator.output(), oscillator.is_ready()), (clock, false));
        oscillator.update(Time::from_us(70), true, hz, startup);
        assert_eq!((oscillator.output(), oscillator.is_ready()), (clock, true));
        oscillator.update(off, false, hz, startup);
        oscillator.fire(oscillator.due());
        assert_eq!((oscillator.output(), oscillator.due()), (None, Time::NEVER));
    }

    #[test]
    fn without_a_crystal_it_never_is() {
        let mut oscillator = Oscillator::default();
        oscillator.update(Time::ZERO, true, None, Time::from_units(50));
        assert_eq!(oscillator.due(), Time::NEVER);
    }

    #[test]
    fn the_factory_calibration_of_osc8m_gives_8_mhz() {
        assert_eq!(osc8m_hz(0x8707_0382), 8_000_000);
        assert!(osc8m_hz(0x8700_0382) < 8_000_000);
    }

    #[test]
    fn on_demand_and_run_in_standby_combine_as_in_the_data_sheet() {
        let control = |bits: u32| Control::of(bits | 2);
        assert!(control(0x00).runs(false, false) && !control(0x00).runs(true, true));
        assert!(!control(0x80).runs(false, false) && control(0x80).runs(true, false));
        assert!(control(0x40).runs(false, true));
        assert!(control(0xC0).runs(true, true) && !control(0xC0).runs(false, true));
    }

    #[test]
    fn start_up_times_are_those_of_the_data_sheet() {
        // Cycles of 32 kHz oscillators: of OSCULP32K and three more, of OSC32K itself, and of OSCULP32K.
        let crystal = [4, 35, 2_051, 4_099, 16_387, 32_771, 65_539, 131_075];
        let internal = [3, 4, 6, 10, 18, 34, 66, 130];
        for (field, (crystal, internal)) in (0..8).zip(crystal.into_iter().zip(internal)) {
            assert_eq!(xosc32k_startup(field), watch_periods(crystal));
            assert_eq!(osc32k_startup(field), watch_periods(internal));
        }
        for field in 0..16 {
            assert_eq!(xosc_startup(field), watch_periods(1 << field));
        }
    }
}
