// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a mote printed and did while a test program ran.

use super::{Report, Verdict};
use lichen_chip::Time;
use lichen_load::{Item, Separator};
use lichen_project::Place;
use lichen_trace::{Error, Event, Kind, Sink};
use lichen_world::{Halt, MoteId, World};

/// Simulated time between checks whether the program has ended, while it executes. It doubles with each slice that
/// has few instructions: a mote that sleeps costs next to nothing until the next check.
const SLICE: Time = Time::from_ms(10);
const LONGEST_SLICE: Time = Time::from_s(60);
/// More warnings are not kept.
const MOST_WARNINGS: usize = 100;
const FEW_INSTRUCTIONS: u64 = 100_000;

/// What a mote printed and did.
#[derive(Debug)]
pub struct Transcript {
    /// Tests that the program reported, in their order.
    pub tests: Vec<(String, Verdict)>,
    /// Everything on the console.
    pub console: String,
    /// Warnings of the simulator.
    pub warnings: Vec<Report>,
    /// Parts of those that it was to cause.
    pub warnings_wanted: Vec<String>,
    /// Panics after which it continued, as intended.
    pub panics: u32,
    /// How often it was to panic and continue.
    pub panics_wanted: u32,
    /// How it ended.
    pub ending: Ending,
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It reported how many tests passed and failed.
    Summary,
    /// It panicked, faulted or locked up.
    Stopped(Report),
    /// The time was up.
    Time,
}

impl Transcript {
    /// The failure of a program that should run without any.
    pub fn complaint(&self) -> Option<Report> {
        match &self.ending {
            Ending::Stopped(report) => Some(report.clone()),
            Ending::Summary | Ending::Time => self.warnings.first().cloned(),
        }
    }
}

impl Transcript {
    /// The first warning that it was not to cause.
    pub fn unexpected_warning(&self) -> Option<&Report> {
        let is_wanted = |warning: &Report| {
            self.warnings_wanted.iter().any(|part| warning.message.contains(part))
        };
        self.warnings.iter().find(|warning| !is_wanted(warning))
    }

    /// The first part that no warning has.
    pub fn missing_warning(&self) -> Option<&str> {
        let is_there = |part: &String| self.warnings.iter().any(|it| it.message.contains(part));
        self.warnings_wanted.iter().find(|part| !is_there(part)).map(String::as_str)
    }
}

/// The limit of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Simulated time.
    pub time: Time,
    /// Instructions executed.
    pub instructions: u64,
}

impl Limit {
    /// This long, however much is executed.
    pub fn of(time: Time) -> Limit {
        Limit { time, instructions: u64::MAX }
    }

    fn holds(&self, world: &World) -> bool {
        world.now() < self.time && instructions(world) < self.instructions
    }
}

/// Instructions that the only mote of `world` has executed.
pub fn instructions(world: &World) -> u64 {
    world.mote(MoteId(0)).chip().instructions()
}

/// Runs `world` until its mote has printed its summary, has stopped, or `limit` is reached. The
/// mote continues after the first `panics` panics. At breakpoints `at_breakpoint` is called, which
/// clears them.
pub fn watch(
    world: &mut World,
    limit: Limit,
    panics: u32,
    at_breakpoint: &mut dyn FnMut(&mut World),
) -> Result<Transcript, lichen_world::Error> {
    let mut log = Log { panics_allowed: panics, ..Log::default() };
    let mut slice = SLICE;
    while log.ending.is_none() && limit.holds(world) {
        let until = limit.time.min(world.now() + slice);
        let before = instructions(world);
        match world.run(until, &mut log)? {
            Halt::Dead => break,
            Halt::Breakpoint(_) => at_breakpoint(world),
            _ => {}
        }
        slice = next_slice(slice, instructions(world) - before);
    }
    let console = String::from_utf8_lossy(&log.console).into_owned();
    Ok(Transcript {
        tests: log.tests,
        console,
        warnings: if panics == 0 { log.warnings } else { Vec::new() },
        warnings_wanted: Vec::new(),
        panics: log.panics,
        panics_wanted: panics,
        ending: log.ending.unwrap_or(Ending::Time),
    })
}

/// The slice after one in which so many instructions were executed.
fn next_slice(slice: Time, executed: u64) -> Time {
    if executed < FEW_INSTRUCTIONS { (slice * 2).min(LONGEST_SLICE) } else { SLICE }
}

#[derive(Default)]
struct Log {
    console: Vec<u8>,
    /// Frames of the loader are not kept.
    separator: Separator,
    /// Where the current line begins in `console`.
    line: usize,
    tests: Vec<(String, Verdict)>,
    warnings: Vec<Report>,
    panics_allowed: u32,
    panics: u32,
    ending: Option<Ending>,
}

impl Sink for Log {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        match &event.kind {
            Kind::Uart { dir: "out", data, .. } => {
                if let Some(Item::Text(text)) = self.separator.byte(*data) {
                    text.iter().for_each(|data| self.character(*data));
                }
            }
            // A fault leads to such a panic, unless nothing can follow it.
            Kind::Fault { locked_up: false, .. } if self.panics < self.panics_allowed => {}
            Kind::Panic { .. } if self.panics < self.panics_allowed => self.panics += 1,
            Kind::Panic { thread, reason, place, .. } => {
                self.stop(report(format!("panic in {thread}: {reason}"), place));
            }
            Kind::Fault { reason, place, .. } => {
                self.stop(report(format!("fault: {reason}"), place));
            }
            Kind::Warning { what, place } if self.warnings.len() < MOST_WARNINGS => {
                self.warnings.push(report(format!("warning: {what}"), place));
            }
            _ => {}
        }
        Ok(())
    }
}

impl Log {
    fn stop(&mut self, mut report: Report) {
        report.output = Some(String::from_utf8_lossy(&self.console).into_owned());
        self.ending.get_or_insert(Ending::Stopped(report));
    }

    /// The program says that it has run `count` tests. What it has reported of them may be unreadable, as
    /// when another port sends in between.
    fn end(&mut self, count: usize) {
        let reported = self.tests.len();
        if reported < count {
            self.stop(Report::saying(format!("the console has {reported} of {count} tests")));
        }
        self.ending.get_or_insert(Ending::Summary);
    }

    fn character(&mut self, data: u8) {
        if data != b'\n' {
            if data != b'\r' {
                self.console.push(data);
            }
            return;
        }
        let line = String::from_utf8_lossy(&self.console[self.line..]).into_owned();
        self.console.push(b'\n');
        self.line = self.console.len();
        if let Some(test) = test(&line) {
            self.tests.push(test);
        } else if let Some(count) = summary(&line) {
            self.end(count);
        }
    }
}

/// A report about a place in the firmware.
pub fn report(message: String, place: &lichen_trace::Place) -> Report {
    let source = place.file.as_ref().zip(place.line);
    match source {
        Some((file, line)) => {
            Report { place: Some(Place::line(file, line)), ..Report::saying(message) }
        }
        None if *place == lichen_trace::Place::default() => Report::saying(message),
        None => Report::saying(format!("{message}, {place}")),
    }
}

/// `test NAME ok` or `test NAME failed FILE:LINE: EXPRESSION`.
fn test(line: &str) -> Option<(String, Verdict)> {
    let (name, said) = line.strip_prefix("test ")?.split_once(' ')?;
    if said == "ok" {
        return Some((name.to_string(), Verdict::Passed));
    }
    let said = said.strip_prefix("failed ")?;
    let mut parts = said.splitn(3, ':');
    let place = match (parts.next(), parts.next().and_then(|line| line.parse().ok())) {
        (Some(file), Some(line)) => Some(Place::line(file, line)),
        _ => None,
    };
    let message = parts.next().map_or(said, str::trim).to_string();
    Some((name.to_string(), Verdict::Failed(Report { place, ..Report::saying(message) })))
}

/// The tests that `3 passed, 1 failed` counts.
fn summary(line: &str) -> Option<usize> {
    let words: Vec<&str> = line.split(' ').collect();
    let [passed, "passed,", failed, "failed"] = words[..] else { return None };
    passed.parse::<usize>().ok()?.checked_add(failed.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(text: &str) -> Log {
        let mut log = Log::default();
        text.bytes().for_each(|byte| log.character(byte));
        log
    }

    #[test]
    fn reads_the_protocol() {
        let log = log(
            "noise\r\ntest one ok\r\ntest two failed a.c:7: x == y (1, 2)\n1 passed, 1 failed\n",
        );
        assert_eq!(log.tests[0], ("one".to_string(), Verdict::Passed));
        let Verdict::Failed(report) = &log.tests[1].1 else { panic!("must fail") };
        assert_eq!(report.place, Some(Place::line("a.c", 7)));
        assert_eq!(report.message, "x == y (1, 2)");
        assert_eq!(log.ending, Some(Ending::Summary));
    }

    #[test]
    fn an_unfinished_line_is_no_summary() {
        assert_eq!(log("test one ok\n1 passed, 0 failed").ending, None);
        assert_eq!(summary("1 passed, x failed"), None);
    }

    #[test]
    fn tests_that_cannot_be_read_are_missed() {
        let log = log("test one ok\nUUtest two failed a.c:7: x\n1 passed, 1 failed\n");
        let Some(Ending::Stopped(report)) = log.ending else { panic!("must have stopped") };
        assert_eq!(report.message, "the console has 1 of 2 tests");
    }

    #[test]
    fn a_program_goes_on_after_the_panics_it_is_allowed() {
        let mut log = Log { panics_allowed: 1, ..Log::default() };
        let place = lichen_trace::Place { pc: Some(0x100), symbol: None, file: None, line: None };
        let kind = Kind::Panic { thread: "t".into(), reason: "r".into(), place, caller: None };
        let event = Event { time: Time::ZERO, cycle: 0, mote: 0, kind };
        log.event(&event).expect("no file is written");
        assert_eq!((log.panics, &log.ending), (1, &None));
        log.event(&event).expect("no file is written");
        assert!(matches!(log.ending, Some(Ending::Stopped(_))));
    }

    #[test]
    fn a_panic_ends_the_program_at_its_place() {
        let mut log = Log::default();
        let place = lichen_trace::Place {
            pc: Some(0x100),
            symbol: None,
            file: Some("a.c".to_string()),
            line: Some(3),
        };
        let kind = Kind::Panic { thread: "t".into(), reason: "r".into(), place, caller: None };
        let event = Event { time: Time::ZERO, cycle: 0, mote: 0, kind };
        log.event(&event).expect("no file is written");
        let Some(Ending::Stopped(report)) = log.ending else { panic!("must have stopped") };
        assert_eq!(report.place, Some(Place::line("a.c", 3)));
        assert_eq!(report.message, "panic in t: r");
    }

    #[test]
    fn warnings_that_are_wanted_must_come_and_no_others() {
        let transcript = |warnings: &[&str], wanted: &[&str]| Transcript {
            tests: Vec::new(),
            console: String::new(),
            warnings: warnings.iter().map(|text| Report::saying(*text)).collect(),
            warnings_wanted: wanted.iter().map(|part| part.to_string()).collect(),
            panics: 0,
            panics_wanted: 0,
            ending: Ending::Summary,
        };
        let seen = transcript(&["warning: task a took 9 cycles"], &["task a"]);
        assert!(seen.unexpected_warning().is_none() && seen.missing_warning().is_none());
        let other = transcript(&["warning: task a took 9 cycles", "division"], &["task a"]);
        assert_eq!(other.unexpected_warning().map(|it| it.message.as_str()), Some("division"));
        assert_eq!(transcript(&[], &["task a"]).missing_warning(), Some("task a"));
    }
}
