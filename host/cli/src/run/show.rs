// SPDX-License-Identifier: MIT OR Apache-2.0
//! What motes do, as readable text: their consoles line by line, their LEDs, their warnings, each with
//! the simulated time and, if there are several motes, its number.

use super::air::Air;
use super::console::{Consoles, Line};
use super::energy::{Accounts, Keeping};
use super::flicker::{Flicker, Folded};
use super::problem::{NOTICED, Problem, SAME_ORDER, inner, with_condition};
use super::serial::Serial;
use super::traces::Traces;
use super::view::{self, Live};
use super::warned::Warned;
use crate::mote::Names;
use lichen_board::{Active, Board};
use lichen_chip::Time;
use lichen_device::CONSOLE;
use lichen_energy::Sheet;
use lichen_project::Tree;
use lichen_terminal::failure::Failure;
use lichen_terminal::screen::{self, Screen, many};
use lichen_trace::air::{Record, Transmission};
use lichen_trace::run::{Header, Outcome};
use lichen_trace::{Error, Event, JsonLines, Kind, Lost, Sink};
use lichen_world::{MoteId, PROBE, Summary, World};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The LEDs of more motes are not shown: they would hide everything else.
const MOST_WITH_LEDS: usize = 8;
/// A mote that failed for a reported reason and restarted counts as restarting again and again for so long.
const RESTARTING: Time = Time::from_s(2);
/// A run in which nothing has happened for so long is quiet.
const QUIET: Time = Time::from_s(1);

/// Shows the events of motes, and writes them to files.
pub struct Show<'a> {
    screen: &'a Screen,
    tree: &'a Tree,
    /// How many there are, and how they are called.
    motes: usize,
    names: Names,
    json: Option<JsonLines>,
    summary: Option<JsonLines>,
    /// The serial port that the console is at.
    serial: Option<Serial>,
    traces: Traces,
    air: Option<Air>,
    live: Option<Live>,
    /// Whether frames are shown, each in a line.
    lists_frames: bool,
    account: Option<Keeping>,
    account_json: Option<JsonLines>,
    account_csv: Option<Sheet>,
    /// Time of the latest event.
    latest: Time,
    /// Names of the levels of named pins, by board: low, high.
    words: HashMap<String, Words>,
    /// The board of each mote.
    boards: Vec<String>,
    consoles: Consoles,
    flicker: Flicker,
    warned: Warned,
    /// Lines about faults and panics. A repeated one, as at each system call or in a loop of
    /// resets, is only counted in the summary.
    reported: HashSet<String>,
    /// Motes that restart again and again for the same reason, and when they last did: their resets and pins
    /// are not shown.
    restarting: HashMap<u32, Time>,
    /// The first panic.
    panic: Option<Problem>,
    /// The first warning.
    warning: Option<Problem>,
    /// The line that was printed last: its mote, its time and its text.
    last_line: Option<(u32, Time, String)>,
}

impl<'a> Show<'a> {
    /// Shows motes on `boards`, in the order of their numbers; `tree` has the system's sources.
    pub fn new<'b>(
        screen: &'a Screen,
        tree: &'a Tree,
        boards: impl Iterator<Item = &'b Board>,
        names: Names,
    ) -> Show<'a> {
        let mut words: HashMap<String, Words> = HashMap::new();
        let mut board_names = Vec::new();
        for board in boards {
            words.entry(board.name.clone()).or_insert_with(|| words_of(board));
            board_names.push(board.name.clone());
        }
        Show {
            screen,
            tree,
            motes: board_names.len(),
            names,
            boards: board_names,
            json: None,
            summary: None,
            serial: None,
            traces: Traces::default(),
            air: None,
            live: None,
            lists_frames: false,
            account: None,
            account_json: None,
            account_csv: None,
            latest: Time::ZERO,
            words,
            consoles: Consoles::new(screen.is_typed_to()),
            flicker: Flicker::default(),
            warned: Warned::default(),
            reported: HashSet::new(),
            restarting: HashMap::new(),
            panic: None,
            warning: None,
            last_line: None,
        }
    }

    /// Also writes everything to the file of `--json`.
    pub fn write_events(&mut self, json: JsonLines) {
        self.json = Some(json);
    }

    /// Writes what ran and what came of it to the file of `--summary`.
    pub fn write_summary(&mut self, summary: JsonLines) {
        self.summary = Some(summary);
    }

    /// Also sends what the console prints to a serial port.
    pub fn send_to(&mut self, serial: Serial) {
        self.serial = Some(serial);
    }

    /// What was sent to the mote at that port.
    pub fn sent_by_port(&mut self) -> Vec<u8> {
        self.serial.as_mut().map(Serial::typed).unwrap_or_default()
    }

    /// Whether what ran, and what came of it, is written.
    pub fn has_records(&self) -> bool {
        self.json.is_some() || self.summary.is_some()
    }

    /// Begins the files of `--json` and `--summary` with what runs, from `begin` on.
    pub fn open_records(&mut self, begin: Time, header: &Header) -> Result<(), Error> {
        let mut files = self.json.iter_mut().chain(&mut self.summary);
        files.try_for_each(|file| file.append_of_run(begin, header))
    }

    /// Ends them with what came of it. A file that cannot be written does not affect the other.
    pub fn close_records(&mut self, world: &World, outcome: &Outcome) -> Result<(), Error> {
        let now = self.end_of(world);
        let files = [self.json.take(), self.summary.take()].into_iter().flatten();
        let close = |mut file: JsonLines| {
            file.append_of_run(now, outcome)?;
            file.finish()
        };
        files.map(close).fold(Ok(()), Result::and)
    }

    /// Also writes everything to the files that show it over time.
    pub fn write_traces(&mut self, traces: Traces) {
        self.traces = traces;
    }

    /// Also keeps count of what motes send to each other, and draws it.
    pub fn keep_air(&mut self, air: Option<Air>) {
        self.air = air;
    }

    /// What is kept of that, for a run that continues.
    pub fn save_air(&self) -> Vec<u8> {
        self.air.as_ref().map(Air::save).unwrap_or_default()
    }

    /// Continues with what was kept of it.
    pub fn load_air(&mut self, saved: &[u8]) {
        self.air.iter_mut().for_each(|air| air.load(saved));
    }

    /// Also shows a table of the motes.
    pub fn show_live(&mut self, live: Live) {
        self.live = Some(live);
    }

    /// Also shows frames, each in a line.
    pub fn list_frames(&mut self) {
        self.lists_frames = true;
    }

    /// What motes have sent to each other, if anything is kept.
    pub fn air(&self) -> Option<&Air> {
        self.air.as_ref()
    }

    /// Also keeps the account of `--energy`.
    pub fn keep_account(&mut self, account: Keeping) {
        self.account = Some(account);
    }

    /// Writes the account to the file of `--energy-json`.
    pub fn write_account(&mut self, json: JsonLines) {
        self.account_json = Some(json);
    }

    /// Writes the account to the file of `--energy-csv`.
    pub fn tabulate_account(&mut self, sheet: Sheet) {
        self.account_csv = Some(sheet);
    }

    /// When the run has ended, as far as its events were passed on.
    fn end_of(&self, world: &World) -> Time {
        if world.is_reported() { world.now().max(self.latest) } else { self.latest }
    }

    /// Ends the log of what motes send to each other, and adds the counts to the file of `--json`, if they sent anything.
    pub fn close_air(&mut self, world: &World) -> Result<(), Error> {
        let now = self.end_of(world);
        let complete = self.air.as_mut().map(|air| air.close(now)).unwrap_or_default();
        self.transmissions(&complete);
        let Some(air) = &self.air else { return Ok(()) };
        let counts = air.tally().motes().iter().filter(|_| air.tally().whole().sent > 0);
        if let Some(json) = &mut self.json {
            for ((id, mote), counts) in world.motes().zip(counts) {
                json.append((now, mote.chip().cycle().0, id.0), &Record::from(counts))?;
            }
        }
        Ok(())
    }

    /// Adds what the firmware of motes has lost to the file of `--json`.
    pub fn close_losses(&mut self, world: &World) -> Result<(), Error> {
        let now = self.end_of(world);
        let Some(json) = &mut self.json else { return Ok(()) };
        for (id, mote) in world.motes() {
            let losses = mote.losses();
            if !losses.is_empty() {
                json.append((now, mote.chip().cycle().0, id.0), &Lost::from(losses))?;
            }
        }
        Ok(())
    }

    /// Ends the account of `world`, and adds it to the file of `--json`. There are no reports without one.
    pub fn close_account(&mut self, world: &World) -> Result<Accounts, Error> {
        let Some(account) = self.account.take() else { return Ok(Accounts::default()) };
        // What happened after the event that ended the run is not printed.
        let is_reported = world.is_reported();
        let now = self.end_of(world);
        let own = |mote: usize| world.mote(MoteId(mote as u32)).chip().now();
        let accounts = account.close(|mote| if is_reported { own(mote) } else { now });
        let records = accounts.records();
        if let Some(json) = &mut self.json {
            for ((id, mote), record) in world.motes().zip(&records) {
                json.append((now, mote.chip().cycle().0, id.0), record)?;
            }
        }
        if let Some(mut file) = self.account_json.take() {
            for ((id, mote), record) in world.motes().zip(&records) {
                file.append((now, mote.chip().cycle().0, id.0), record)?;
            }
            file.finish()?;
        }
        if let Some(file) = self.account_csv.take() {
            file.write(&records)?;
        }
        Ok(accounts)
    }

    /// Prints what has waited long enough for the end of its line, in the order in which it came.
    pub fn end_of_slice(&mut self, now: Time) {
        let complete = self.air.as_mut().map(|air| air.advance(now)).unwrap_or_default();
        self.transmissions(&complete);
        let folded = self.flicker.ended(now);
        self.print_folded(folded);
        let lines = self.consoles.due(Some(now));
        self.print_lines(lines);
        if let (Some(live), Some(air)) = (&mut self.live, &self.air) {
            live.refresh(air.tally(), &self.names, now);
        }
    }

    /// It is known what became of these.
    fn transmissions(&mut self, complete: &[Transmission]) {
        for sent in complete {
            self.live.iter_mut().for_each(|live| live.transmission(sent));
            if self.lists_frames {
                let text = self.screen.dim(&view::line(sent, &self.names));
                let head = self.head(sent.sender, sent.end);
                self.consoles.note(sent.end, head, text);
            }
        }
        if self.lists_frames {
            self.consoles.wait_for(self.air.as_ref().and_then(Air::awaited));
            screen::print_text(&self.consoles.release());
        }
    }

    /// The terminal has shown what a person typed.
    pub fn typed(&mut self, bytes: &[u8]) {
        self.consoles.typed(bytes);
    }

    /// Prints what is left, and completes the pictures and traces of a run that ended at `now`.
    pub fn finish(&mut self, now: Time) -> Result<(), Error> {
        let folded = self.flicker.end(now);
        self.print_folded(folded);
        let lines = self.consoles.due(None);
        self.print_lines(lines);
        screen::print_text(self.consoles.end());
        if let (Some(mut live), Some(air)) = (self.live.take(), &self.air) {
            live.draw(air.tally(), &self.names, now);
        }
        let traces = self.traces.finish(now);
        let air = self.air.as_mut().map_or(Ok(()), |air| air.finish(now));
        traces.and(air)
    }

    /// What was printed last, and since when nothing has happened, if that is long ago at `now`.
    pub fn latest_words(&self, now: Time) -> String {
        let quiet = match now - self.latest.min(now) >= QUIET {
            true => format!(", and nothing has happened since {} s", self.latest),
            false => String::new(),
        };
        match &self.last_line {
            None => format!("nothing else was printed either{quiet}"),
            Some((mote, time, text)) => {
                let of_mote = match self.motes {
                    1 => String::new(),
                    _ => format!(" of {}", self.names.long(*mote)),
                };
                format!("the last line{of_mote} was `{text}`, at {time} s{quiet}")
            }
        }
    }

    /// What the input of a mote has been warned of is told at the end as well.
    pub fn has_warned(&mut self, mote: MoteId, warnings: &[String]) {
        warnings.iter().for_each(|text| self.warned.add(mote.0, Time::ZERO, text.clone()));
    }

    /// What the run was warned of.
    pub fn warned(&self) -> &Warned {
        &self.warned
    }

    /// Writes what the file of `--json` still lacks, for those who read along.
    pub fn flush(&mut self) -> Result<(), Error> {
        self.json.as_mut().map_or(Ok(()), JsonLines::flush)
    }

    /// Why the run fails: the first panic, overflow of a stack, or fault from which the firmware did not recover,
    /// whichever came first; with `strict` also a warning.
    pub fn first_problem(&self, motes: &[(MoteId, Summary)], strict: bool) -> Option<Failure> {
        let fault = |(id, summary): &(MoteId, Summary)| {
            Some(Problem::from((*id, summary.unserved_fault.as_ref()?)))
        };
        let overflow = |(id, summary): &(MoteId, Summary)| {
            Some(Problem::from((*id, summary.overflow.as_ref()?)))
        };
        let overflows = motes.iter().filter_map(overflow);
        let crashes = overflows.chain(motes.iter().filter_map(fault)).chain(self.panic.clone());
        let crash = crashes.min_by_key(|problem| problem.time);
        let problem = crash.or(self.warning.clone().filter(|_| strict))?;
        let whose = (self.motes > 1).then(|| self.names.long(problem.mote));
        Some(problem.failure(whose))
    }

    fn print_lines(&mut self, lines: Vec<Line>) {
        for line in lines {
            let (mote, port) = &line.port;
            if !line.text.trim().is_empty() {
                self.last_line = Some((*mote, line.time, line.text.trim().to_string()));
            }
            let text = match port.as_ref() {
                CONSOLE | PROBE => line.text.clone(),
                port => format!("{}| {}", self.screen.dim(port), line.text),
            };
            let head = self.head(*mote, line.time);
            self.consoles.line(&line, head, text);
        }
        screen::print_text(&self.consoles.release());
    }

    /// Prints a line of `time`, in the order of times.
    fn print(&mut self, mote: u32, time: Time, text: &str) {
        let head = self.head(mote, time);
        self.consoles.note(time, head, text.to_string());
        screen::print_text(&self.consoles.release());
    }

    /// The time, and the mote if there are several.
    fn head(&self, mote: u32, time: Time) -> String {
        let shown = self.screen.dim(&format!("{:>13}", time.to_string()));
        match self.motes {
            1 => format!("{shown} "),
            _ => {
                let name =
                    format!("{:>width$}", self.names.short(mote), width = self.names.width());
                format!("{shown} {} ", self.screen.dim(&name))
            }
        }
    }

    /// Prints how often pins changed whose changes were not all shown.
    fn print_folded(&mut self, folded: Vec<Folded>) {
        for Folded { mote, pin, time, length, changes } in folded {
            let text = format!("* {pin} {} in {length} s", many(changes, "change"));
            self.print(mote, time, &self.screen.green(&text));
        }
    }

    fn pin(&mut self, mote: u32, time: Time, name: &Arc<str>, level: Option<u8>) {
        let is_hidden = self.motes > MOST_WITH_LEDS || self.is_restarting(mote, time);
        if is_hidden || !self.flicker.change(mote, name, time) {
            return;
        }
        let words = self.boards.get(mote as usize).and_then(|board| self.words.get(board));
        let state = match (words.and_then(|words| words.get(name.as_ref())), level) {
            (_, None) => "floats",
            (Some(words), Some(level)) => words[usize::from(level != 0)],
            (None, Some(0)) => "low",
            (None, Some(_)) => "high",
        };
        self.print(mote, time, &self.screen.green(&format!("* {name} {state}")));
    }

    fn warn(&mut self, mote: u32, time: Time, what: &str, place: &lichen_trace::Place) {
        let place_too = if place.pc.is_some() { format!(", {place}") } else { String::new() };
        self.print(mote, time, &format!("{} {what}{place_too}", self.screen.yellow("warning:")));
        self.warned.add(mote, time, format!("{what}{place_too}"));
        self.warning.get_or_insert_with(|| Problem {
            mote,
            time,
            message: format!("warning: {what}"),
            place: place.clone(),
            remedy: NOTICED,
        });
    }

    /// Reports a failure at `place`, once; `is_last` if a reset follows.
    fn alarm(
        &mut self,
        (mote, time): (u32, Time),
        message: &str,
        place: &lichen_trace::Place,
        is_last: bool,
    ) {
        let line = format!("! {message}, {place}");
        if !self.reported.contains(&line) {
            self.print(mote, time, &self.screen.red(&line));
            self.reported.insert(line);
            return;
        }
        // Faults may be served, and so be part of what the firmware does.
        if is_last {
            if !self.is_restarting(mote, time) {
                self.print(mote, time, &self.screen.red("! the same again, and so on"));
            }
            self.restarting.insert(mote, time);
        }
    }

    /// Whether a mote fails again and again for a reported reason.
    fn is_restarting(&self, mote: u32, time: Time) -> bool {
        self.restarting.get(&mote).is_some_and(|last| time - *last < RESTARTING)
    }
}

/// Names of the levels of a board's pins: low, high.
type Words = HashMap<String, [&'static str; 2]>;

fn words_of(board: &Board) -> Words {
    let words = board.words().map(|(name, words)| match words.active {
        Active::Low => (name.to_string(), [words.on, words.off]),
        Active::High => (name.to_string(), [words.off, words.on]),
    });
    words.collect()
}

impl Sink for Show<'_> {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        if let Some(json) = &mut self.json {
            json.event(event)?;
        }
        self.serial.iter_mut().for_each(|serial| serial.event(event));
        self.traces.event(event)?;
        if let Some(air) = &mut self.air {
            let complete = air.event(event);
            let is_awaited = matches!(event.kind, Kind::Sent { .. });
            if !complete.is_empty() || is_awaited {
                self.transmissions(&complete);
            }
        }
        self.live.iter_mut().for_each(|live| live.event(event));
        if let Some(account) = &mut self.account {
            account.account.event(event)?;
        }
        self.latest = event.time;
        let folded = self.flicker.ended(event.time);
        self.print_folded(folded);
        match &event.kind {
            Kind::Uart { port, dir: "out", data } => {
                let port = (event.mote, Arc::clone(port));
                let lines = self.consoles.character(&port, event.time, *data);
                self.print_lines(lines);
            }
            Kind::Uart { .. } | Kind::Sleep { .. } | Kind::Wake { .. } => {}
            Kind::Sent { .. } | Kind::Heard { .. } | Kind::Arrives { .. } => {}
            Kind::Exception { .. } | Kind::Thread { .. } | Kind::Pin { .. } => {}
            Kind::Activity { .. } | Kind::Processor { .. } | Kind::Current { .. } => {}
            Kind::Gpio { name, level, .. } => self.pin(event.mote, event.time, name, *level),
            Kind::Reset { cause } => {
                let lines = self.consoles.cut_short(event.mote);
                self.print_lines(lines);
                // The supply was reported already.
                let is_news = !self.is_restarting(event.mote, event.time);
                if event.time > Time::ZERO && *cause != "power-on" && is_news {
                    self.print(
                        event.mote,
                        event.time,
                        &self.screen.yellow(&format!("* reset: {cause}")),
                    );
                }
            }
            Kind::Power { on } => {
                let lines = self.consoles.cut_short(event.mote);
                self.print_lines(lines);
                let text = if *on { "* power on" } else { "* power off" };
                self.print(event.mote, event.time, &self.screen.yellow(text));
            }
            Kind::Host { what } => {
                let text = self.screen.yellow(&format!("* {what}"));
                self.print(event.mote, event.time, &text);
            }
            Kind::Condition { device, condition } => {
                let text = format!("* {device} {condition}");
                self.print(event.mote, event.time, &self.screen.yellow(&text));
            }
            Kind::Panic { thread, reason, place, caller } => {
                let time = event.time;
                let message = format!("panic in {thread}: {reason}");
                let is_deadlock = reason.starts_with("deadlock");
                let (message, place) = match caller {
                    Some(caller) if is_deadlock => (message, caller),
                    Some(caller) => (format!("{message} in {}", inner(self.tree, place)), caller),
                    None => (with_condition(self.tree, message, place), place),
                };
                self.alarm((event.mote, time), &message, place, true);
                self.panic.get_or_insert(Problem {
                    mote: event.mote,
                    time,
                    message,
                    place: place.clone(),
                    remedy: if is_deadlock { SAME_ORDER } else { NOTICED },
                });
            }
            Kind::Fault { name, reason, locked_up, place, .. } => {
                let what = if *locked_up { "locked up" } else { name };
                let message = format!("{what}: {reason}");
                self.alarm((event.mote, event.time), &message, place, false);
            }
            Kind::Warning { what, place } => self.warn(event.mote, event.time, what, place),
        }
        Ok(())
    }
}
