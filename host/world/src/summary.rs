// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a mote has done so far, in numbers.

use crate::{TaskRuns, UnservedFault};
use lichen_board::{Active, Board};
use lichen_chip::Time;
use lichen_trace::{Event, Kind, Place};
use std::collections::BTreeMap;

/// What a mote has done so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Summary {
    /// Time of the world.
    pub time: Time,
    /// Processor clock edges.
    pub cycles: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Time without power.
    pub off: Time,
    /// Time asleep, by mode.
    pub asleep: BTreeMap<String, Time>,
    /// Wake-ups, by cause.
    pub wakes: BTreeMap<String, u64>,
    /// Changes of level of each named pin, from its first level on.
    pub toggles: BTreeMap<String, u64>,
    /// Whether an LED or another named pin has had a level.
    pub has_lit: bool,
    /// Resets after the first power-up, by cause.
    pub resets: BTreeMap<String, u64>,
    /// Characters sent on all ports.
    pub characters_out: u64,
    /// Warnings.
    pub warnings: u64,
    /// Faults and lockups.
    pub faults: u64,
    /// Panics that the firmware reported.
    pub panics: u64,
    /// Whether the core is locked up.
    pub locked_up: bool,
    /// The real-time tasks that have returned, by name.
    #[borsh(skip)]
    pub tasks: BTreeMap<String, TaskRuns>,
    /// Threads that wait for each other for ever, and since when.
    #[borsh(skip)]
    pub deadlock: Option<(Time, String)>,
    /// The first overflow of a stack.
    #[borsh(skip)]
    pub overflow: Option<Overflow>,
    /// The first fault from which the firmware has not recovered so far.
    #[borsh(skip)]
    pub unserved_fault: Option<UnservedFault>,
}

impl Summary {
    /// Share of the time with power that it was asleep, 0 to 1.
    pub fn share_asleep(&self) -> f64 {
        let asleep = self.asleep.values().fold(Time::ZERO, |sum, time| sum + *time).as_s();
        let powered = self.time - self.off;
        if powered == Time::ZERO { 0.0 } else { asleep / powered.as_s() }
    }

    /// All wake-ups.
    pub fn wake_ups(&self) -> u64 {
        self.wakes.values().sum()
    }
}

/// A stack that did not suffice.
#[derive(Clone, Debug, PartialEq, Eq, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub struct Overflow {
    /// When.
    pub time: Time,
    /// Which one, and which functions use it, in words.
    pub what: String,
    /// The line of the program that needed too much.
    pub place: Place,
}

/// Counts events as they occur.
#[derive(Clone, Debug, Default, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Tally {
    counts: Summary,
    sleeping: Option<(String, Time)>,
    off_since: Option<Time>,
    levels: BTreeMap<String, u8>,
    started: bool,
}

impl Tally {
    /// The counts of a mote that begins, without power if `is_off`: nothing has happened, and no button is pressed. The first
    /// level of a button that is reported is a change; that of an LED is where it begins.
    pub(crate) fn of(board: &Board, is_off: bool) -> Tally {
        let off_since = is_off.then_some(Time::ZERO);
        let mut tally = Tally { off_since, ..Tally::default() };
        for button in &board.buttons {
            tally.levels.insert(button.name.clone(), u8::from(button.active == Active::Low));
        }
        tally
    }

    pub(crate) fn event(&mut self, event: &Event) {
        match &event.kind {
            Kind::Uart { dir: "out", .. } => self.counts.characters_out += 1,
            Kind::Uart { .. } => {}
            Kind::Gpio { name, level, .. } => self.level(name, *level),
            Kind::Sleep { mode } => self.sleeping = Some((mode.to_string(), event.time)),
            Kind::Wake { cause } => {
                self.wake(event.time);
                count(&mut self.counts.wakes, cause);
            }
            Kind::Reset { cause } => self.reset(event.time, cause),
            Kind::Panic { .. } => self.counts.panics += 1,
            Kind::Fault { locked_up, .. } => {
                self.counts.faults += 1;
                self.counts.locked_up |= locked_up;
            }
            Kind::Warning { .. } => self.counts.warnings += 1,
            Kind::Power { on } => self.power(event.time, *on),
            Kind::Host { .. } => {}
            Kind::Condition { .. } | Kind::Sent { .. } | Kind::Heard { .. } => {}
            Kind::Arrives { .. } => {}
            Kind::Exception { .. } | Kind::Thread { .. } | Kind::Pin { .. } => {}
            Kind::Activity { .. } | Kind::Processor { .. } | Kind::Current { .. } => {}
        }
    }

    pub(crate) fn panics(&self) -> u64 {
        self.counts.panics
    }

    /// Whether the core is locked up.
    pub(crate) fn is_locked_up(&self) -> bool {
        self.counts.locked_up
    }

    /// The numbers at `time`.
    pub(crate) fn at(&self, time: Time, cycles: u64, instructions: u64) -> Summary {
        let mut summary = Summary { time, cycles, instructions, ..self.counts.clone() };
        if let Some((mode, since)) = &self.sleeping {
            *summary.asleep.entry(mode.clone()).or_default() += time - *since;
        }
        if let Some(since) = self.off_since {
            summary.off += time - since;
        }
        summary
    }

    fn wake(&mut self, now: Time) {
        if let Some((mode, since)) = self.sleeping.take() {
            *self.counts.asleep.entry(mode).or_default() += now - since;
        }
    }

    fn level(&mut self, name: &str, level: Option<u8>) {
        self.counts.has_lit = true;
        let Some(level) = level else { return };
        match self.levels.get_mut(name) {
            Some(before) => {
                if std::mem::replace(before, level) != level {
                    count(&mut self.counts.toggles, name);
                }
            }
            None => {
                self.levels.insert(name.to_string(), level);
            }
        }
    }

    fn power(&mut self, now: Time, on: bool) {
        self.wake(now);
        self.counts.locked_up = false;
        match (on, self.off_since.take()) {
            (true, Some(since)) => self.counts.off += now - since,
            (true, None) => {}
            (false, _) => self.off_since = Some(now),
        }
    }

    fn reset(&mut self, now: Time, cause: &str) {
        self.wake(now);
        self.counts.locked_up = false;
        if self.started {
            *self.counts.resets.entry(cause.to_string()).or_default() += 1;
        }
        self.started = true;
    }
}

/// Counts one more of `name`, which is copied only the first time.
fn count(counts: &mut BTreeMap<String, u64>, name: &str) {
    match counts.get_mut(name) {
        Some(count) => *count += 1,
        None => {
            counts.insert(name.to_string(), 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(events: Vec<(u64, Kind)>) -> Tally {
        let mut tally = Tally::default();
        for (ms, kind) in events {
            tally.event(&Event { time: Time::from_ms(ms), cycle: 0, mote: 0, kind });
        }
        tally
    }

    #[test]
    fn sleep_adds_up_by_mode_and_open_sleep_counts() {
        let wake = |cause: &'static str| Kind::Wake { cause };
        let tally = tally(vec![
            (0, Kind::Reset { cause: "power-on" }),
            (100, Kind::Sleep { mode: "standby" }),
            (400, wake("RTC")),
            (500, Kind::Sleep { mode: "idle0" }),
            (600, wake("SERCOM0")),
            (700, Kind::Sleep { mode: "standby" }),
        ]);
        let summary = tally.at(Time::from_ms(1_000), 1, 1);
        assert_eq!(summary.asleep["standby"], Time::from_ms(600));
        assert_eq!(summary.asleep["idle0"], Time::from_ms(100));
        assert!((summary.share_asleep() - 0.7).abs() < 1e-12);
        assert_eq!(summary.wake_ups(), 2);
        assert!(summary.resets.is_empty(), "power-up is not a reset");
    }

    #[test]
    fn the_share_of_a_mote_that_never_sleeps_has_no_sign() {
        let summary =
            tally(vec![(0, Kind::Reset { cause: "power-on" })]).at(Time::from_ms(1), 1, 1);
        assert_eq!(format!("{:.4}", summary.share_asleep()), "0.0000");
    }

    #[test]
    fn toggles_count_from_the_first_level() {
        let gpio =
            |level| Kind::Gpio { pin: "PA19".parse().expect("a pin"), name: "led0".into(), level };
        let tally = tally(vec![
            (0, gpio(Some(1))),
            (1, gpio(None)),
            (2, gpio(Some(1))),
            (3, gpio(Some(0))),
            (4, gpio(Some(1))),
        ]);
        let summary = tally.at(Time::from_ms(5), 0, 0);
        assert!(summary.toggles["led0"] == 2 && summary.has_lit);
    }

    #[test]
    fn the_first_press_of_a_button_is_a_change() {
        let boards = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../board");
        let mut tally = Tally::of(&Board::find(&boards, "hamilton").expect("a board"), false);
        for (ms, level) in [(1, 0), (2, 1)] {
            let kind = Kind::Gpio {
                pin: "PA18".parse().expect("a pin"),
                name: "button0".into(),
                level: Some(level),
            };
            tally.event(&Event { time: Time::from_ms(ms), cycle: 0, mote: 0, kind });
        }
        assert_eq!(tally.at(Time::from_ms(3), 0, 0).toggles["button0"], 2);
    }

    #[test]
    fn time_without_power_is_neither_sleep_nor_a_lockup() {
        let tally = tally(vec![
            (0, Kind::Reset { cause: "power-on" }),
            (10, Kind::Sleep { mode: "standby" }),
            (30, Kind::Power { on: false }),
            (70, Kind::Power { on: true }),
            (70, Kind::Reset { cause: "power-on" }),
            (90, Kind::Power { on: false }),
        ]);
        let summary = tally.at(Time::from_ms(100), 1, 1);
        assert_eq!(summary.asleep["standby"], Time::from_ms(20));
        assert_eq!((summary.off, summary.resets["power-on"]), (Time::from_ms(50), 1));
        assert!((summary.share_asleep() - 0.4).abs() < 1e-12);
    }

    #[test]
    fn a_reset_ends_sleep_and_lockup() {
        let tally = tally(vec![
            (0, Kind::Reset { cause: "power-on" }),
            (
                1,
                Kind::Fault {
                    name: "HardFault",
                    reason: String::new(),
                    locked_up: true,
                    place: Default::default(),
                    registers: None,
                },
            ),
            (2, Kind::Reset { cause: "watchdog" }),
        ]);
        let summary = tally.at(Time::from_ms(5), 0, 0);
        assert!(!summary.locked_up);
        assert_eq!((summary.faults, summary.resets["watchdog"]), (1, 1));
    }
}
