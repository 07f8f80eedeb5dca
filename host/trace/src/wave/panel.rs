// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a picture shows of one mote.

use super::Drawn;
use super::steps::Steps;
use crate::{Kind, On};
use lichen_chip::{OFF, Time};
use std::collections::{BTreeMap, BTreeSet};

/// The processor, and its state while it executes.
const CPU: &str = "CPU";
const ACTIVE: &str = "active";
/// What the names of sleep modes begin with in which oscillators run on: they are part of an active period.
const IDLE: &str = "idle";
/// State of an LED in which it is as good as off.
const DARK: &str = "dark";
/// Who executes where no thread is known.
const MAIN: &str = "main";

/// What a lane is of; lanes are in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Processor,
    Thread,
    Interrupt,
    Clock,
    Peripheral,
    Part,
    Pin,
    Serial,
}

/// Begin and end of what is drawn.
type Span = (Time, Time);

/// The record of one mote.
#[derive(Debug)]
pub struct Panel {
    pub mote: u32,
    pub title: String,
    pub begin: Time,
    pub end: Time,
    /// What it draws, in femtoamperes.
    pub current: Steps,
    /// 1 while the processor executes.
    pub awake: Steps,
    /// How often it was woken.
    pub wake_ups: u64,
    /// 1 in an active period, which ends with a sleep mode deeper than idle.
    pub active: Steps,
    pub active_periods: u64,
    pub lanes: BTreeMap<(Group, String), Steps>,
    /// The component and the state of a lane that is of one of several states.
    pub states: BTreeMap<(Group, String), (String, String)>,
    /// States whose currents no table knows: they are not in the curve.
    pub unknown: BTreeSet<String>,
    /// The lane in which each component is now.
    present: BTreeMap<String, (Group, String)>,
    /// Part number of the chip.
    chip: &'static str,
    /// When LEDs and buttons are on.
    on: BTreeMap<String, On>,
    is_awake: bool,
    is_active: bool,
    exception: Option<&'static str>,
    thread: String,
}

impl Panel {
    /// Draws a mote within a span.
    pub fn new(drawn: Drawn, (begin, end): Span) -> Panel {
        let Drawn { mote, chip, title, thread, on } = drawn;
        Panel {
            mote,
            title,
            begin,
            end,
            current: Steps::new(begin, 0),
            awake: Steps::new(begin, 0),
            active: Steps::new(begin, 0),
            wake_ups: 0,
            active_periods: 0,
            is_active: false,
            lanes: BTreeMap::new(),
            states: BTreeMap::new(),
            unknown: BTreeSet::new(),
            present: BTreeMap::new(),
            chip,
            on,
            is_awake: false,
            exception: None,
            thread: thread.map_or(MAIN.to_string(), |name| thread_name(&name)),
        }
    }

    /// The run has ended.
    pub fn end(&mut self, now: Time) {
        let now = now.clamp(self.begin, self.end);
        self.end = now;
        let lanes = self.lanes.values_mut();
        lanes
            .chain([&mut self.current, &mut self.awake, &mut self.active])
            .for_each(|steps| steps.extend(now));
    }

    /// Takes an event of the mote.
    pub fn event(&mut self, time: Time, kind: &Kind) {
        let now = time.clamp(self.begin, self.end);
        match kind {
            Kind::Current { component, fa, whole_fa } => {
                self.current.change(now, *whole_fa);
                if fa.is_none() && time < self.end {
                    self.unknown.insert(component.to_string());
                }
            }
            Kind::Activity { part, component, state, hz, .. } => {
                self.does(now, (part, component, state), *hz);
            }
            Kind::Exception { name } => {
                self.exception = *name;
                self.executes(now);
            }
            Kind::Thread { name } => {
                self.thread = thread_name(name);
                self.executes(now);
            }
            Kind::Gpio { name, level, .. } | Kind::Pin { name, level } => {
                let on = self.on.get(name.as_ref()).copied().unwrap_or(On::HIGH);
                let value = u128::from(*level == Some(on.level));
                self.lane((Group::Pin, format!("{name} {}", on.word))).change(now, value);
            }
            Kind::Uart { port, dir, .. } if self.shows(time) => {
                // A character is a moment: the thinnest line.
                let lane = self.lane((Group::Serial, format!("{port} {dir}")));
                lane.change(now, 1);
                lane.change(now + Time::UNIT, 0);
            }
            Kind::Wake { .. } if self.shows(time) => self.wake_ups += 1,
            Kind::Reset { .. } | Kind::Power { .. } => {
                self.exception = None;
                self.thread = MAIN.to_string();
                self.executes(now);
            }
            Kind::Sleep { .. }
            | Kind::Processor { .. }
            | Kind::Uart { .. }
            | Kind::Wake { .. }
            | Kind::Sent { .. }
            | Kind::Heard { .. }
            | Kind::Arrives { .. }
            | Kind::Condition { .. }
            | Kind::Host { .. }
            | Kind::Panic { .. }
            | Kind::Fault { .. }
            | Kind::Warning { .. } => {}
        }
    }

    /// Whether what happens then is in the picture.
    fn shows(&self, time: Time) -> bool {
        self.begin <= time && time < self.end
    }

    fn lane(&mut self, lane: (Group, String)) -> &mut Steps {
        let begin = self.begin;
        self.lanes.entry(lane).or_insert_with(|| Steps::new(begin, 0))
    }

    /// Something that is in one lane at a time is in this one now.
    fn switch(&mut self, now: Time, of: &str, lane: Option<(Group, String)>) {
        if self.present.get(of) == lane.as_ref() {
            return;
        }
        if let Some(before) = self.present.remove(of) {
            self.lane(before).change(now, 0);
        }
        if let Some(lane) = lane {
            self.lane(lane.clone()).change(now, 1);
            self.present.insert(of.to_string(), lane);
        }
    }

    /// A component is in a state.
    fn does(&mut self, now: Time, (part, component, state): (&'static str, &str, &str), hz: u64) {
        let mut shown = state.to_string();
        if component == CPU {
            if state == ACTIVE {
                shown = format!("{state}, {}", megahertz(hz));
            }
            self.is_awake(now, state == ACTIVE);
            let is_active = state == ACTIVE || state.starts_with(IDLE);
            self.is_active(now, is_active);
        }
        let is_of_chip = part == self.chip;
        let group = match component {
            CPU => Group::Processor,
            name if is_of_chip && is_clock(name) => Group::Clock,
            _ if is_of_chip => Group::Peripheral,
            _ => Group::Part,
        };
        let is_on = state != OFF && state != DARK;
        let lane = is_on.then(|| (group, format!("{component} {shown}")));
        if let Some(lane) = &lane {
            let state = || (component.to_string(), shown);
            self.states.entry(lane.clone()).or_insert_with(state);
        }
        self.switch(now, component, lane);
    }

    fn is_awake(&mut self, now: Time, is_awake: bool) {
        self.is_awake = is_awake;
        self.awake.change(now, is_awake.into());
        self.executes(now);
    }

    fn is_active(&mut self, now: Time, is_active: bool) {
        // Before the picture begins, the latest one may last into it.
        if is_active && !self.is_active && now < self.end {
            self.active_periods = if now > self.begin { self.active_periods + 1 } else { 1 };
        } else if !is_active && now <= self.begin {
            self.active_periods = 0;
        }
        self.is_active = is_active;
        self.active.change(now, is_active.into());
    }

    /// Puts what the processor executes into its lane.
    fn executes(&mut self, now: Time) {
        let lane = self.is_awake.then(|| match self.exception {
            Some(name) => (Group::Interrupt, format!("interrupt {name}")),
            None => (Group::Thread, self.thread.clone()),
        });
        self.switch(now, "", lane);
    }
}

fn thread_name(name: &str) -> String {
    format!("thread {name}")
}

/// Whether a component of a chip is an oscillator.
fn is_clock(component: &str) -> bool {
    ["OSC", "DFLL", "PLL"].iter().any(|word| component.contains(word))
}

/// A frequency without the deviation of its oscillator.
fn megahertz(hz: u64) -> String {
    let tenths = (hz + 50_000) / 100_000;
    match (tenths / 10, tenths % 10) {
        _ if hz == 0 => "no clock yet".to_string(),
        (0, 0) => format!("{} kHz", (hz + 500) / 1_000),
        (whole, 0) => format!("{whole} MHz"),
        (whole, tenth) => format!("{whole}.{tenth} MHz"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHIP: &str = "ATSAMR21G18A";

    fn us(us: u64) -> Time {
        Time::from_us(us)
    }

    fn does(component: &'static str, state: &'static str, hz: u64) -> Kind {
        let part = if component == "hdc1080" { "HDC1080" } else { CHIP };
        Kind::Activity { part, component: component.into(), state, hz, bus_hz: 0 }
    }

    fn panel(span: Span, events: Vec<(u64, Kind)>) -> Panel {
        let on = [("led0", On { level: 0, word: "on" }), ("sw0", On { level: 0, word: "pressed" })];
        let on = on.map(|(name, on)| (name.to_string(), on)).into_iter().collect();
        let drawn = Drawn { chip: CHIP, on, ..Drawn::default() };
        let mut panel = Panel::new(drawn, span);
        events.into_iter().for_each(|(time, kind)| panel.event(us(time), &kind));
        panel.end(us(1_000));
        panel
    }

    /// Periods of a lane, in microseconds.
    fn periods(panel: &Panel, group: Group, name: &str) -> Vec<(u64, u64)> {
        let cells = panel.lanes[&(group, name.to_string())].cells().iter();
        let high = cells.filter(|cell| cell.most > 0);
        high.map(|cell| (cell.from.us(), cell.to.us())).collect()
    }

    #[test]
    fn who_executes_is_in_one_lane() {
        let panel = panel(
            (us(0), Time::NEVER),
            vec![
                (0, does("CPU", "active", 7_999_123)),
                (10, Kind::Thread { name: "red".into() }),
                (30, Kind::Exception { name: Some("RTC") }),
                (40, Kind::Exception { name: None }),
                (50, does("CPU", "idle2", 8_000_000)),
                (60, does("CPU", "standby", 0)),
                (88, Kind::Wake { cause: "RTC" }),
                (90, does("CPU", "active", 48_000_000)),
            ],
        );
        assert_eq!(periods(&panel, Group::Thread, "main"), [(0, 10)]);
        assert_eq!(periods(&panel, Group::Thread, "thread red"), [(10, 30), (40, 50), (90, 1_000)]);
        assert_eq!(periods(&panel, Group::Interrupt, "interrupt RTC"), [(30, 40)]);
        assert_eq!(periods(&panel, Group::Processor, "CPU active, 8 MHz"), [(0, 50)]);
        assert_eq!(periods(&panel, Group::Processor, "CPU standby"), [(60, 90)]);
        let active: Vec<_> = panel.active.cells().iter().map(|c| (c.to, c.most)).collect();
        assert_eq!(active, [(us(60), 1), (us(90), 0), (us(1_000), 1)]);
        assert_eq!(panel.wake_ups, 1);
    }

    #[test]
    fn leds_and_buttons_are_on_at_the_level_that_the_board_says() {
        let gpio = |name: &str, level| Kind::Gpio {
            pin: "PA19".parse().expect("a pin"),
            name: name.into(),
            level,
        };
        let panel = panel(
            (us(0), Time::NEVER),
            vec![
                (0, gpio("led0", Some(1))),
                (0, Kind::Pin { name: "radio_reset".into(), level: Some(1) }),
                (10, gpio("led0", Some(0))),
                (20, gpio("led0", Some(1))),
                (30, gpio("sw0", Some(0))),
                (40, gpio("sw0", None)),
            ],
        );
        assert_eq!(periods(&panel, Group::Pin, "led0 on"), [(10, 20)]);
        assert_eq!(periods(&panel, Group::Pin, "sw0 pressed"), [(30, 40)]);
        assert_eq!(periods(&panel, Group::Pin, "radio_reset high"), [(0, 1_000)]);
    }

    #[test]
    fn a_window_begins_with_what_was_before() {
        let current = |component: &'static str, fa, whole_fa| Kind::Current {
            component: component.into(),
            fa,
            whole_fa,
        };
        let panel = panel(
            (us(100), us(200)),
            vec![
                (0, does("CPU", "standby", 0)),
                (0, current("CPU", Some(7), 7)),
                (40, does("hdc1080", "measuring", 0)),
                (150, current("led0", None, 9)),
                (150, does("hdc1080", "off", 0)),
                (150, Kind::Uart { port: "console".into(), dir: "out", data: 0 }),
                (300, current("late", None, 11)),
                (300, does("OSC8M", "on", 8_000_000)),
            ],
        );
        let cells: Vec<_> = panel.current.cells().iter().map(|c| (c.from, c.to, c.most)).collect();
        assert_eq!(cells, [(us(100), us(150), 7), (us(150), us(200), 9)]);
        assert_eq!(periods(&panel, Group::Part, "hdc1080 measuring"), [(100, 150)]);
        assert_eq!(periods(&panel, Group::Processor, "CPU standby"), [(100, 200)]);
        assert_eq!(periods(&panel, Group::Serial, "console out"), [(150, 150)]);
        assert_eq!(periods(&panel, Group::Clock, "OSC8M on"), []);
        assert!(panel.unknown.contains("led0") && !panel.unknown.contains("late"));
    }

    #[test]
    fn a_start_is_no_wake_up() {
        let panel = panel(
            (us(0), us(200)),
            vec![(10, does("CPU", "off", 0)), (50, does("CPU", "active", 8_000_000))],
        );
        assert_eq!(panel.wake_ups, 0);
    }

    #[test]
    fn what_comes_before_or_after_is_not_in_the_picture() {
        let sent = |time| (time, Kind::Uart { port: "console".into(), dir: "out", data: 0 });
        let woken = |time| (time, Kind::Wake { cause: "RTC" });
        let panel = panel(
            (us(100), us(200)),
            vec![sent(50), woken(60), sent(200), woken(200), sent(300), woken(300)],
        );
        assert!(panel.lanes.is_empty(), "{:?}", panel.lanes);
        assert_eq!(panel.wake_ups, 0);
    }

    #[test]
    fn frequencies_are_nominal() {
        let shown = [7_999_123, 999_000, 32_768, 7_372_800, 48_004_000, 0].map(megahertz);
        assert_eq!(shown, ["8 MHz", "1 MHz", "33 kHz", "7.4 MHz", "48 MHz", "no clock yet"]);
    }
}
