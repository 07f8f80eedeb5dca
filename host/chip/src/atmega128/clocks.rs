// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clocks of the chip (data sheet, "System Clock and Clock Options").

use super::fuses::Meaning;
use super::sleep::Mode;
use crate::clock::Clock;
use crate::noise::Noise;
use crate::timeline::Timeline;
use crate::{Config, Drift, Fuses, Time};
use lichen_isa::Cycle;

/// Frequency that replaces the processor's clock if it has none.
const NO_CLOCK_HZ: u64 = 1_000_000;

/// The watchdog's oscillator at 3 V: 16,384 cycles in 14.8 ms (data sheet, "Watchdog Timer Prescale
/// Select").
const WATCHDOG_MILLIHERTZ: u64 = 16_384 * 1_000_000_000 / 14_800_000 * 1_000;

/// The oscillator that times the writing of EEPROM and flash (data sheet, "EEPROM Read/Write Access").
const WRITING_MILLIHERTZ: u64 = 1_000_000_000;

/// OSCCAL as the factory has found it to be right. Which value it is differs from chip to chip.
pub(super) const FACTORY_OSCCAL: u8 = 0x55;

/// What makes the processor's clock (CKSEL).
#[derive(Clone, Copy, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
enum Source {
    /// A crystal, a resonator, or a clock from outside. In millihertz; 0 if there is none.
    Outside(u64),
    /// The calibrated internal oscillator, of so many millihertz at the factory's calibration.
    InternalRc(u64),
}

/// Start-up times by fuses: cycles of the processor's clock, and after a reset cycles of the watchdog's
/// oscillator in addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StartUp {
    pub cycles: u64,
    pub delay: u64,
}

/// Short and long additional delay: typically 4.1 and 65 ms.
const SHORT: u64 = 4_096;
const LONG: u64 = 65_536;

impl StartUp {
    /// The times that the fuses select (data sheet, tables "Start-up Times for the ... Clock
    /// Selection").
    pub fn of(fuses: Fuses) -> StartUp {
        let sut = usize::from(fuses.start_up());
        // The reserved value is taken for the longest time.
        let delay = [0, SHORT, LONG, LONG][sut];
        let (cycles, delay) = match fuses.clock_select() {
            0..=4 => (6, delay),
            5..=8 => [(18, 0), (18, SHORT), (18, LONG), (6, SHORT)][sut],
            9 => [(1_024, SHORT), (1_024, LONG), (32_768, LONG), (32_768, LONG)][sut],
            odd if odd & 1 != 0 => {
                [(1_024, LONG), (16_384, 0), (16_384, SHORT), (16_384, LONG)][sut]
            }
            _ => [(258, SHORT), (258, LONG), (1_024, 0), (1_024, SHORT)][sut],
        };
        StartUp { cycles, delay }
    }
}

/// The clocks, and the times of the I/O clock's edges, which are the processor's cycles.
#[derive(Clone, Debug, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Clocks {
    source: Source,
    timeline: Timeline,
    /// Cycle at which the I/O clock stands, while it does.
    stopped_at: Option<u64>,
    /// The processor's mode.
    pub mode: Mode,
    /// The watch crystal at TOSC1 and TOSC2, if one is fitted.
    pub watch: Option<Clock>,
    /// The watchdog's oscillator.
    pub watchdog: Clock,
    /// The oscillator that times the writing of EEPROM and flash.
    pub writing: Clock,
    start_up: (u64, u64),
}

/// A frequency with a deviation in parts per million; at least 1 mHz.
fn drifted(millihertz: u64, ppm: i32) -> u64 {
    let millihertz = i128::from(millihertz);
    (millihertz + millihertz * i128::from(ppm) / 1_000_000).max(1) as u64
}

fn free_running(millihertz: u64, ppm: i32) -> Clock {
    Clock::from_millihertz(Time::ZERO, drifted(millihertz, ppm))
}

impl Source {
    fn of(config: &Config, fuses: Fuses) -> Source {
        let Drift { fast_rc_ppm, main_crystal_ppm, .. } = config.drift;
        match fuses.clock_select() {
            select @ 1..=4 => {
                Source::InternalRc(drifted(1_000_000_000 << (select - 1), fast_rc_ppm))
            }
            _ => {
                let hz = u64::from(config.xosc_hz.unwrap_or(0));
                Source::Outside(if hz == 0 { 0 } else { drifted(hz * 1_000, main_crystal_ppm) })
            }
        }
    }

    /// Millihertz with this OSCCAL; 0 for none.
    fn millihertz(self, osccal: u8) -> u64 {
        match self {
            Source::Outside(millihertz) => millihertz,
            Source::InternalRc(millihertz) => {
                millihertz * rc_millionths(osccal) / rc_millionths(FACTORY_OSCCAL)
            }
        }
    }
}

/// Frequency of the internal oscillator in millionths of its nominal one: the means of the data sheet's
/// bounds, 75 % for OSCCAL 0 to 150 % for 0xFF, are connected by a line.
fn rc_millionths(osccal: u8) -> u64 {
    750_000 + 750_000 * u64::from(osccal) / 255
}

impl Clocks {
    /// The clocks on a board described by `config`, standing.
    pub fn new(config: &Config, fuses: Fuses) -> Clocks {
        let none = Clock::new(Time::ZERO, NO_CLOCK_HZ);
        let watch = config.xosc32k_hz.filter(|hz| *hz != 0).map(|hz| {
            let millihertz = drifted(u64::from(hz) * 1_000, config.drift.watch_crystal_ppm);
            Clock::from_millihertz(Time::ZERO, millihertz)
        });
        let mut clocks = Clocks {
            source: Source::Outside(0),
            timeline: Timeline::starting(none, Cycle(0), Time::ZERO),
            stopped_at: Some(0),
            mode: Mode::Active,
            watch,
            watchdog: free_running(WATCHDOG_MILLIHERTZ, config.drift.low_power_rc_ppm),
            writing: free_running(WRITING_MILLIHERTZ, config.drift.fast_rc_ppm),
            start_up: (0, 0),
        };
        clocks.set_fuses(config, fuses);
        clocks
    }

    /// The supply returns at `now`, and the slow oscillators start in the phases of `noise`.
    pub fn power_up(&mut self, noise: Noise, now: Time) {
        let start =
            |clock: Clock, oscillator| clock.starting(now + noise.phase(now, oscillator, clock));
        self.watch = self.watch.map(|clock| start(clock, 0));
        self.watchdog = start(self.watchdog, 1);
    }

    /// Takes the clock source and the start-up times that the fuses select; the next reset uses them.
    pub fn set_fuses(&mut self, config: &Config, fuses: Fuses) {
        let StartUp { cycles, delay } = StartUp::of(fuses);
        self.source = Source::of(config, fuses);
        self.start_up = (cycles, delay);
    }

    /// Whether the selected clock source exists.
    pub fn has_source(&self) -> bool {
        self.source != Source::Outside(0)
    }

    /// Whether the clock source is a crystal, a resonator or a clock from outside.
    pub fn is_outside(&self) -> bool {
        matches!(self.source, Source::Outside(_))
    }

    /// Whether the I/O clock runs.
    pub fn io_runs(&self) -> bool {
        self.stopped_at.is_none()
    }

    /// The processor's clock, also while it stands.
    pub fn processor(&self) -> Clock {
        self.timeline.clock()
    }

    /// Time of an edge of the I/O clock; [`Time::NEVER`] while that stands.
    pub fn time(&self, cycle: u64) -> Time {
        match self.stopped_at {
            None if cycle != u64::MAX => self.timeline.time(Cycle(cycle)),
            _ => Time::NEVER,
        }
    }

    /// The first edge of the I/O clock at or after `t`; `u64::MAX` while that stands.
    pub fn cycle_at_or_after(&self, t: Time) -> u64 {
        match self.stopped_at {
            None => self.timeline.cycle_at_or_after(t).0,
            Some(_) => u64::MAX,
        }
    }

    /// The last edge of the I/O clock at or before `t`.
    pub fn cycle_until(&self, t: Time) -> u64 {
        self.stopped_at.unwrap_or_else(|| self.timeline.cycle_until(t).0)
    }

    /// Stops the I/O clock after its edge `cycle`.
    pub fn stop(&mut self, cycle: u64) {
        self.stopped_at = Some(cycle);
    }

    /// Starts the I/O clock: `cycle` is an edge at `now`.
    pub fn start(&mut self, now: Time, cycle: u64, osccal: u8, divisor: u64) {
        let clock = self.made(osccal, divisor).starting(now);
        self.timeline = Timeline::starting(clock, Cycle(cycle), now);
        self.stopped_at = None;
    }

    /// Changes the frequency of the running I/O clock: its next edge is the first of the new clock after
    /// `now`.
    pub fn change(&mut self, now: Time, cycle: u64, osccal: u8, divisor: u64) {
        let clock = self.made(osccal, divisor).starting(now);
        let after = now.max(self.time(cycle)) + Time::UNIT;
        self.timeline = Timeline::starting(clock, Cycle(cycle + 1), after);
    }

    fn made(&self, osccal: u8, divisor: u64) -> Clock {
        match self.source.millihertz(osccal) {
            0 => Clock::new(Time::ZERO, NO_CLOCK_HZ),
            millihertz => Clock::from_millihertz(Time::ZERO, millihertz).divided(divisor.max(1)),
        }
    }

    /// How long the clock takes to start after a mode in which it stood.
    pub fn wake_time(&self, mode: Mode, osccal: u8) -> Time {
        let cycles = match mode {
            Mode::Active | Mode::Idle | Mode::AdcNoiseReduction => 0,
            Mode::Standby | Mode::ExtendedStandby => 6,
            Mode::PowerDown | Mode::PowerSave => self.start_up.0,
        };
        self.made(osccal, 1).span(cycles)
    }

    /// How long after a reset the processor begins.
    pub fn reset_time(&self, osccal: u8) -> Time {
        let (cycles, delay) = self.start_up;
        self.made(osccal, 1).span(cycles) + self.watchdog.span(delay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atmega128::fuses::FACTORY;

    fn start_up(low: u8) -> (u64, u64) {
        let StartUp { cycles, delay } = StartUp::of(Fuses { low, ..FACTORY });
        (cycles, delay)
    }

    #[test]
    fn start_up_times_are_those_of_the_data_sheet() {
        assert_eq!(start_up(0xFF), (16_384, LONG), "crystal, slowly rising power");
        assert_eq!(start_up(0xDF), (16_384, 0), "crystal, brown-out detector");
        assert_eq!(start_up(0xFE), (1_024, SHORT), "resonator, fast rising power");
        assert_eq!(start_up(0xCE), (258, SHORT), "resonator");
        assert_eq!(start_up(0xE1), (6, LONG), "internal RC");
        assert_eq!(start_up(0xC9), (1_024, SHORT), "watch crystal");
        assert_eq!(start_up(0xF5), (6, SHORT), "external RC");
    }

    #[test]
    fn the_source_is_the_one_that_the_fuses_select() {
        let config = Config { xosc_hz: Some(7_372_800), ..Config::default() };
        let hz = |low| {
            let mut clocks = Clocks::new(&config, Fuses { low, ..FACTORY });
            clocks.start(Time::ZERO, 0, FACTORY_OSCCAL, 1);
            clocks.processor().hz()
        };
        assert_eq!(hz(0xFF), 7_372_800);
        assert_eq!([0xE1, 0xE2, 0xE3, 0xE4].map(hz), [1_000_000, 2_000_000, 4_000_000, 8_000_000]);
        assert!(!Clocks::new(&Config::default(), Fuses { low: 0xFF, ..FACTORY }).has_source());
    }

    #[test]
    fn osccal_and_the_divider_change_the_frequency_and_keep_the_cycles() {
        let mut clocks = Clocks::new(&Config::default(), FACTORY);
        clocks.start(Time::ZERO, 0, FACTORY_OSCCAL, 1);
        assert_eq!(clocks.time(100), Time::from_us(100));
        clocks.change(Time::from_us(100), 100, FACTORY_OSCCAL, 2);
        assert_eq!(clocks.time(101), Time::from_us(102));
        clocks.change(Time::from_us(102), 101, 0xFF, 1);
        assert_eq!(clocks.processor().hz(), 1_500_000);
        clocks.stop(110);
        assert_eq!((clocks.time(111), clocks.cycle_until(Time::from_s(1))), (Time::NEVER, 110));
    }

    #[test]
    fn waking_takes_the_start_up_time_only_where_the_oscillator_stood() {
        let config = Config { xosc_hz: Some(8_000_000), ..Config::default() };
        let clocks = Clocks::new(&config, Fuses { low: 0xFF, ..FACTORY });
        let wake = |mode| clocks.wake_time(mode, FACTORY_OSCCAL);
        assert_eq!(wake(Mode::PowerDown), Time::from_us(2_048));
        assert_eq!(wake(Mode::PowerSave), Time::from_us(2_048));
        assert_eq!(wake(Mode::ExtendedStandby), Time::from_ns(750));
        assert_eq!(wake(Mode::Idle), Time::ZERO);
        let delay = clocks.reset_time(FACTORY_OSCCAL) - Time::from_us(2_048);
        assert!((delay.as_us() - 59_200.0).abs() < 10.0, "{delay}");
    }
}
