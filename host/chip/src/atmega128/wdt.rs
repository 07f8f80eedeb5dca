// SPDX-License-Identifier: MIT OR Apache-2.0
//! The watchdog (data sheet, "Watchdog Timer", "Timed Sequences for Changing the Configuration of the
//! Watchdog Timer").

use super::clocks::Clocks;
use super::fuses::Meaning;
use super::map::WDTCR;
use super::peripheral::{Context, Due, Effect, Holds, Peripheral, ResetCause, flag};
use crate::{Fuses, OFF, Time, WarningKind};
use borsh::{BorshDeserialize, BorshSerialize};

const WDCE: u8 = 1 << 4;
const WDE: u8 = 1 << 3;
const WDP: u8 = 7;

/// Cycles for which WDCE stays set.
const WINDOW: u64 = 4;

/// What the fuses M103C and WDTON forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, BorshSerialize, BorshDeserialize)]
enum Safety {
    /// Disabling takes the timed sequence.
    Level0,
    /// So does changing the period.
    Level1,
    /// It cannot be disabled.
    Level2,
}

/// The block.
#[derive(Clone, BorshSerialize, BorshDeserialize)]
pub(crate) struct Wdt {
    safety: Safety,
    on: bool,
    prescaler: u8,
    /// WDCE is set up to this cycle.
    change_until: Option<u64>,
    /// When the period under way ends.
    expires: Time,
}

impl Wdt {
    pub fn new(fuses: Fuses) -> Wdt {
        let safety = match (fuses.watchdog_always_on(), fuses.compatible_103()) {
            (true, _) => Safety::Level2,
            (false, false) => Safety::Level1,
            (false, true) => Safety::Level0,
        };
        let on = safety == Safety::Level2;
        Wdt { safety, on, prescaler: 0, change_until: None, expires: Time::NEVER }
    }

    /// Takes the fuses; the next reset uses them.
    pub fn set_fuses(&mut self, fuses: Fuses) {
        self.safety = Wdt::new(fuses).safety;
    }

    /// WDR, a reset, or another setting: a period begins.
    pub fn restart(&mut self, cx: &Context<'_>) {
        let cycles = 16_384 << self.prescaler;
        self.expires =
            if self.on { cx.clocks.watchdog.nth_after(cx.now, cycles) } else { Time::NEVER };
    }

    fn write_control(&mut self, cx: &mut Context<'_>, value: u8) {
        let open = self.change_until.is_some_and(|until| cx.cycle <= until);
        let (was_on, prescaler) = (self.on, self.prescaler);
        let wants_on = value & WDE != 0;
        let wants_prescaler = value & WDP;
        self.change_until = (value & (WDCE | WDE) == WDCE | WDE).then_some(cx.cycle + WINDOW);
        let opens = self.change_until.is_some();
        if wants_on || open {
            self.on = wants_on || self.safety == Safety::Level2;
        }
        if open || self.safety == Safety::Level0 {
            self.prescaler = wants_prescaler;
        }
        let refused = self.on != wants_on || self.prescaler != wants_prescaler;
        if refused && !opens {
            cx.out.warn(WarningKind::Protected);
        }
        if (self.on, self.prescaler) != (was_on, prescaler) {
            self.restart(cx);
        }
    }
}

impl Peripheral for Wdt {
    fn read(&mut self, cx: &mut Context<'_>, _register: u8) -> u8 {
        let open = self.change_until.is_some_and(|until| cx.cycle <= until);
        flag(open, WDCE) | flag(self.on, WDE) | self.prescaler
    }

    fn holds(&self, cx: &Context<'_>, _register: u8) -> Holds {
        match self.change_until {
            Some(until) if cx.cycle <= until => Holds::Cycle(until + 1),
            _ => Holds::UntilDue,
        }
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        if register == WDTCR {
            self.write_control(cx, value);
        }
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        if self.expires == Time::NEVER { Due::Never } else { Due::Time(self.expires) }
    }

    fn fire(&mut self, cx: &mut Context<'_>) {
        self.expires = Time::NEVER;
        cx.out.push(Effect::Reset(ResetCause::Watchdog));
    }

    fn activity(&self) -> &'static str {
        if self.on { "on" } else { OFF }
    }

    fn reset(&mut self, cx: &mut Context<'_>, _power: bool) {
        self.on = self.safety == Safety::Level2;
        self.prescaler = 0;
        self.change_until = None;
        self.restart(cx);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atmega128::bench::Bench;
    use crate::atmega128::fuses::FACTORY;

    /// A watchdog of a chip with these extended fuses.
    fn bench(extended: u8) -> Bench<Wdt> {
        Bench::new(Wdt::new(Fuses { extended, ..FACTORY }))
    }

    const LEVEL0: u8 = 0xFD;
    const LEVEL1: u8 = 0xFF;
    const LEVEL2: u8 = 0xFE;

    fn resets_at(bench: &mut Bench<Wdt>) -> Option<Time> {
        let Due::Time(at) = bench.block.due(&bench.clocks) else { return None };
        bench.run_until(at);
        bench.take().contains(&Effect::Reset(ResetCause::Watchdog)).then_some(at)
    }

    #[test]
    fn it_resets_the_chip_after_each_of_its_periods() {
        for prescaler in 0..8 {
            let mut bench = bench(LEVEL0);
            bench.write(WDTCR, WDE | prescaler);
            let ms = resets_at(&mut bench).expect("a reset").as_us() / 1_000.0;
            let expected = 14.8 * f64::from(1 << prescaler);
            assert!((ms - expected).abs() < 0.001 * expected, "{prescaler}: {ms}");
        }
    }

    #[test]
    fn wdr_begins_a_period_anew() {
        let mut bench = bench(LEVEL0);
        bench.write(WDTCR, WDE);
        for _ in 0..10 {
            bench.run_for(Time::from_ms(10));
            bench.with(|block, cx| block.restart(cx));
        }
        assert!(resets_at(&mut bench) > Some(Time::from_ms(114)));
    }

    #[test]
    fn disabling_takes_the_timed_sequence() {
        for level in [LEVEL0, LEVEL1] {
            let mut bench = bench(level);
            bench.write(WDTCR, WDE);
            bench.write(WDTCR, 0);
            assert_eq!(bench.take_warnings(), [WarningKind::Protected]);
            bench.write(WDTCR, WDCE | WDE);
            assert_eq!(bench.read(WDTCR), WDCE | WDE);
            bench.run_cycles(5);
            assert_eq!(bench.read(WDTCR), WDE);
            bench.write(WDTCR, 0);
            assert_eq!(bench.read(WDTCR), WDE, "too late");
            bench.write(WDTCR, WDCE | WDE);
            bench.run_cycles(4);
            bench.write(WDTCR, 0);
            assert_eq!((bench.read(WDTCR), bench.due()), (0, Time::NEVER));
        }
    }

    #[test]
    fn the_period_changes_only_as_the_safety_level_allows() {
        let mut free = bench(LEVEL0);
        free.write(WDTCR, 5);
        assert_eq!(free.read(WDTCR), 5);
        let mut timed = bench(LEVEL1);
        timed.write(WDTCR, WDE | 5);
        assert_eq!(timed.read(WDTCR), WDE);
        assert_eq!(timed.take_warnings(), [WarningKind::Protected]);
        timed.write(WDTCR, WDCE | WDE);
        timed.write(WDTCR, WDE | 5);
        assert_eq!(timed.read(WDTCR), WDE | 5);
        assert_eq!(timed.take_warnings(), []);
    }

    #[test]
    fn the_fuse_keeps_it_on() {
        let mut bench = bench(LEVEL2);
        assert_eq!(bench.read(WDTCR), WDE);
        bench.write(WDTCR, WDCE | WDE);
        bench.write(WDTCR, 0);
        assert_eq!(bench.read(WDTCR), WDE);
        assert!(resets_at(&mut bench).is_some());
    }
}
