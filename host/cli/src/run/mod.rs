// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen run`: a program or an image on a simulated mote.

mod account;
mod air;
pub mod console;
mod debug;
mod debugged;
mod energy;
mod files;
mod flicker;
mod frames;
pub mod live;
mod options;
mod pace;
mod problem;
mod record;
mod serial;
mod show;
mod snapshot;
mod summary;
mod totals;
mod traces;
mod verdict;
mod view;
mod warned;

pub use debug::debug;
pub use options::{DEBUG_HELP, Debug, RUN_HELP, Run};

use crate::mote::{Builder, Motes, Names};
use crate::plan::Plan;
use air::Air;
use energy::Accounts;
use lichen_chip::Time;
use lichen_energy::Sheet;
use lichen_project::Place;
use lichen_scenario::Output;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::Files;
use lichen_terminal::interrupt;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{self, Screen, many, out};
use lichen_world::{Action, Ending, Halt, MoteId, World};
use live::{Keyboard, Typist};
use options::{Record, Simulation, View};
use pace::Pacer;
use record::Known;
use serial::Serial;
use show::Show;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use traces::Traces;
use view::{Live, Shown};

/// Simulated time of a run that has no end and cannot be stopped from a terminal.
const UNATTENDED: Time = Time::from_s(10);
/// Simulated time between polls of the keyboard, and between waits for the host's clock: short
/// enough that output looks continuous.
const LIVE_SLICE: Time = Time::from_ms(10);
/// Most simulated time between checks for Ctrl-C, and how long it may take: many motes that compute are
/// slower than the real ones.
const SLICE: Time = Time::from_s(10);
const SLICE_TAKES: Duration = Duration::from_millis(50);
/// The content of a pipe is typed when the mote has printed its first character, since it may not
/// listen before; a mote that prints nothing gets it after this time. Checked every `WORD_SLICE`.
const FIRST_WORD: Time = Time::from_ms(100);
const WORD_SLICE: Time = Time::from_ms(1);

/// A run under way.
struct Session<'a> {
    record: &'a Record,
    screen: &'a Screen,
    world: World,
    /// The mote that is typed to and debugged.
    mote: MoteId,
    /// What runs, for people.
    title: String,
    names: Names,
    /// When it began: not at zero if it continues from a snapshot.
    begin: Begin,
    /// Whether its length was given.
    has_end: bool,
    end: Time,
    keyboard: Keyboard,
    pacer: Option<Pacer>,
    /// Simulated time to run for before Ctrl-C is checked, as slow as the run is.
    slice: Time,
    started: Instant,
    ending: Ending,
}

/// Where a run began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begin {
    time: Time,
    instructions: u64,
}

/// Builds the program if it is given as source, simulates it, and reports what happens.
pub fn run(
    options: &Run,
    mut files: Files,
    arguments: Vec<String>,
    screen: &Screen,
) -> Result<Code, Failure> {
    let here = Here::find()?;
    energy::check_cell(&options.record, &here)?;
    files::check_call(&options.record, &mut files)?;
    // A port that is in use is reported before anything is built.
    let listener = options.gdb.map(debugged::listen).transpose()?;
    let typist = if listener.is_some() { Typist::Terminal } else { Typist::Anyone };
    let (mut session, mut show, elf) =
        prepare((&options.simulation, &options.record), files, &here, screen, typist)?;
    if options.serial {
        session.offer_serial(&mut show)?;
    }
    if show.has_records() {
        let header = record::header(&options.simulation.mote, arguments, &session);
        show.open_records(session.begin.time, &header)?;
    }
    let interrupted = interrupt::catch(view::restore)?;
    let played = match listener {
        Some(listener) => debugged::play(&mut session, &mut show, listener, &elf, &interrupted),
        None => session.play(&mut show, &interrupted),
    };
    let saved = if played.is_ok() { session.save(&here, &mut show) } else { Ok(()) };
    let closed = show.close_air(&session.world).and(show.close_losses(&session.world));
    let accounts = show.close_account(&session.world);
    // A file that cannot be written does not affect the others.
    let finished = show.finish(session.world.now());
    let (accounts, written) = match accounts {
        Ok(accounts) => (accounts, closed.and(finished)),
        Err(error) => (Accounts::default(), closed.and(finished).and(Err(error))),
    };
    session.conclude((&here, &elf), &mut show, Over { played, saved, written, accounts })
}

/// Builds the program if it is given as source, and loads it into a mote.
fn prepare<'a>(
    (options, record): (&'a Simulation, &'a Record),
    mut files: Files,
    here: &'a Here,
    screen: &'a Screen,
    typist: Typist,
) -> Result<(Session<'a>, Show<'a>, PathBuf), Failure> {
    let builder = Builder { debug: options.debug, screen };
    let mut mote = options.mote.clone();
    mote.check_once("--load", options.load.is_some(), "seed")?;
    if let Some(file) = &options.load {
        mote.seed = Some(snapshot::seed(&here.path(file))?);
    }
    mote.check_once("--for", options.duration.is_some(), "for")?;
    let plan = Plan::new(&mote, &options.many, here, &mut files)?;
    if let Some(scenario) = &plan.scenario {
        files::check(record, &scenario.output, &mut files)?;
    }
    let motes = Motes::new(&mote, &options.many, here, builder, plan)?;
    let Motes { mut world, id, title, elf, script, names, layout, duration, output, .. } = motes;
    let (images, warnings) = (motes.images, motes.warnings);
    if let Some(first) = warnings.first().filter(|_| record.strict) {
        return Err(Failure::failed(first.clone()).remedy("correct that line of the input"));
    }
    energy::check(record, &output)?;
    images.iter().try_for_each(|image| files.reads(image))?;
    share_out(&mut world, options)?;
    let attended = screen.is_attended();
    let duration = options.duration.or(duration);
    let endless = duration.is_none() && attended;
    let limit = duration.or((!attended).then_some(UNATTENDED));
    let chosen = options.mote.mote.as_ref().map(|_| id);
    // Where a run begins that continues from a snapshot is not known yet.
    let end = limit.filter(|_| options.load.is_none()).unwrap_or(Time::NEVER);
    let mut traces = Traces::create((record, &output), here, &world, &names, (chosen, end))?;
    let mut show = show(record, &output, here, screen, &mut world, names.clone())?;
    show.has_warned(id, &warnings);
    let scene_title = air::title(&world, &options.mote.target);
    let scene = air::scene(scene_title, &world, &names, &layout);
    show.keep_air(Air::of((record, &output), here, &mut world, scene));
    let keyboard = Keyboard::of(typist, script.is_some());
    if let Some(file) = &options.load {
        snapshot::load(&mut world, &mut show, &here.path(file), script.as_ref())?;
    }
    let accounts = energy::is_wanted(record, &output);
    if accounts {
        show.keep_account(energy::begin(here, record, &world)?);
    }
    let shown = shown(options.view, typist, &world);
    match shown {
        Shown::Panel => show.show_live(Live::new(here, &world)?),
        Shown::Lines => show.list_frames(),
        Shown::Consoles => {}
    }
    traces.begin(&world, &names, chosen)?;
    let details = accounts || traces.are_wanted();
    if details {
        world.tell_details();
    }
    if details || shown == Shown::Panel {
        world.tell_activity();
    }
    show.write_traces(traces);
    if let Some(script) = script {
        world.follow(id, script)?;
    }
    let begin = Begin::of(&world);
    let session = Session {
        record,
        screen,
        world,
        mote: id,
        title,
        names,
        begin,
        has_end: duration.is_some(),
        end: begin.end(limit),
        keyboard,
        pacer: Pacer::wanted(options, endless && record.until.is_none()),
        slice: LIVE_SLICE,
        started: Instant::now(),
        ending: Ending::default(),
    };
    Ok((session, show, elf))
}

/// What is shown of the network while it runs; where GDB has the terminal, nothing.
fn shown(wanted: Option<View>, typist: Typist, world: &World) -> Shown {
    if typist == Typist::Nobody {
        return Shown::Consoles;
    }
    let radios = world.motes().filter(|(_, mote)| mote.board().radio.is_some()).count();
    let is_terminal = screen::prints_on_terminal();
    Shown::of(wanted, is_terminal, world.motes().len(), radios)
}

/// Shares the motes out among the threads of the machine.
fn share_out(world: &mut World, options: &Simulation) -> Result<(), Failure> {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.map_or_else(processors, usize::from);
    world.set_threads(if world.motes().len() == 1 { 1 } else { threads })?;
    Ok(())
}

/// Opens the files that `record` and the scenario's `output` name, for the events of `world`.
fn show<'a>(
    record: &Record,
    output: &Output,
    here: &'a Here,
    screen: &'a Screen,
    world: &mut World,
    names: Names,
) -> Result<Show<'a>, Failure> {
    let boards = world.motes().map(|(_, mote)| mote.board().as_ref());
    let mut show = Show::new(screen, &here.tree, boards, names);
    let wrong = |name: &'static str| move |error| files::uncreated(record, output, name, error);
    if let Some(file) = files::json(record, output) {
        show.write_events(files::json_lines(here, file).map_err(wrong("json"))?);
    }
    if let Some(file) = files::summary(record, output) {
        show.write_summary(files::json_lines(here, file).map_err(wrong("summary"))?);
    }
    if let Some(file) = files::energy_json(record, output) {
        show.write_account(files::json_lines(here, file).map_err(wrong("energy-json"))?);
    }
    if let Some(file) = files::energy_csv(record, output) {
        show.tabulate_account(Sheet::create(&here.path(file)).map_err(wrong("energy-csv"))?);
    }
    if let Some(text) = &record.until {
        world.stop_at_text(text);
    }
    world.stop_at_warning(record.strict);
    Ok(show)
}

impl Begin {
    fn of(world: &World) -> Begin {
        let instructions = world.motes().map(|(_, mote)| mote.chip().instructions()).sum();
        Begin { time: world.now(), instructions }
    }

    /// The end of a run of this length, if one is given.
    fn end(self, length: Option<Time>) -> Time {
        length.map_or(Time::NEVER, |length| self.time + length)
    }
}

/// A run that is over.
struct Over {
    played: Result<End, Failure>,
    /// Whether its state is in the file of `--save`.
    saved: Result<(), Failure>,
    /// Whether the other files are written.
    written: Result<(), lichen_trace::Error>,
    accounts: Accounts,
}

/// What was noticed as a run ended.
struct Noticed {
    /// The mote, if it is about one.
    mote: Option<MoteId>,
    what: String,
}

/// Why the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The world has ended it.
    Halt(Halt),
    /// Ctrl-C.
    Interrupted,
}

impl Session<'_> {
    /// Makes the console of the mote that is typed to a serial port of this machine.
    fn offer_serial(&mut self, show: &mut Show<'_>) -> Result<(), Failure> {
        let serial = Serial::open(self.mote)?;
        out!("the console is at {}: `lichen load FILE --port {0}`", serial.name);
        show.send_to(serial);
        self.pacer.get_or_insert_with(Pacer::real);
        Ok(())
    }

    /// Runs slice by slice, delivering what is typed in between.
    fn play(&mut self, show: &mut Show<'_>, interrupted: &AtomicBool) -> Result<End, Failure> {
        let mut piped = self.keyboard.before_start();
        while !interrupted.load(Ordering::Relaxed) {
            let until = self.end.min(self.world.now() + self.slice(&piped));
            let begun = Instant::now();
            let halt = self.world.run(until, show)?;
            self.slice = adapted(self.slice, begun.elapsed());
            self.ending.look(&self.world);
            show.end_of_slice(self.world.now());
            if self.is_live() {
                show.flush()?;
            }
            if halt != Halt::Reached || self.world.now() >= self.end {
                return Ok(End::Halt(halt));
            }
            if !piped.is_empty() && self.is_ready() {
                self.type_in(std::mem::take(&mut piped))?;
            }
            self.keep_pace();
            let typed = self.keyboard.typed();
            show.typed(&typed);
            self.type_in(typed)?;
            self.type_in(show.sent_by_port())?;
        }
        Ok(End::Interrupted)
    }

    /// Whether the mote that is typed to can hear what comes from a pipe.
    fn is_ready(&self) -> bool {
        let mote = self.world.mote(self.mote);
        let summary = mote.summary();
        let powered_for = self.world.now() - summary.off;
        mote.is_powered() && (summary.characters_out > 0 || powered_for >= FIRST_WORD)
    }

    /// How long to run until the keyboard, the clock or Ctrl-C must be served again.
    fn slice(&self, piped: &[u8]) -> Time {
        match (piped.is_empty(), self.is_live()) {
            (false, _) => WORD_SLICE,
            (true, true) => LIVE_SLICE,
            (true, false) => self.slice,
        }
    }

    /// Whether somebody watches, or types.
    fn is_live(&self) -> bool {
        self.keyboard.is_open() || self.pacer.is_some()
    }

    fn type_in(&mut self, bytes: Vec<u8>) -> Result<(), Failure> {
        if !bytes.is_empty() {
            self.world.act(self.mote, Action::Type(bytes))?;
        }
        Ok(())
    }

    /// Waits until as much real time has passed as simulated time, if that was requested.
    fn keep_pace(&mut self) {
        if let Some(pacer) = &mut self.pacer {
            std::thread::sleep(pacer.wait(self.world.now(), self.started.elapsed()));
        }
    }

    /// Judges the run, completes its records, and prints the summary.
    fn conclude(
        &self,
        (here, elf): (&Here, &Path),
        show: &mut Show<'_>,
        over: Over,
    ) -> Result<Code, Failure> {
        let Over { played, saved, written, accounts } = over;
        let noticed = self.noticed(show);
        let end = played.as_ref().ok().copied();
        let went = played.and(written.map_err(Failure::from));
        let (typed, judged) = match end {
            Some(end) if went.is_ok() => {
                (self.keep_recording(here, elf), self.judge(show, &noticed, end))
            }
            _ => (Ok(None), Ok(())),
        };
        let failures = [
            went.as_ref().err(),
            saved.as_ref().err(),
            typed.as_ref().err(),
            judged.as_ref().err(),
        ];
        let recorded = match show.has_records() {
            true => {
                let failure = failures.into_iter().flatten().next();
                let known = Known { end, failure, noticed: &noticed, accounts: &accounts };
                let outcome = self.outcome(show, &known);
                show.close_records(&self.world, &outcome)
            }
            false => Ok(()),
        };
        went?;
        recorded?;
        self.print(show, &accounts, &noticed);
        if let Ok(Some(file)) = &typed {
            out!("what you typed is in {}; give it to --input to replay the run", file.display());
        }
        if typed.is_ok() && judged.is_ok() {
            self.print_end(show, &noticed, end);
        }
        saved.and(typed.map(drop)).and(judged).map(|()| Code::Done)
    }

    /// Prints the summary.
    fn print(&self, show: &Show<'_>, accounts: &Accounts, noticed: &[Noticed]) {
        let elapsed = self.started.elapsed();
        let title = self.screen.bold(&self.title);
        match self.world.motes().len() {
            1 => summary::print(&title, self.world.mote(self.mote), self.begin, elapsed),
            _ => totals::print(&title, &self.world, &self.names, self.begin, elapsed),
        }
        if let Some(air) = show.air() {
            frames::print(air.tally(), &self.names);
        }
        if self.record.energy {
            account::print(self.screen, &self.names, accounts);
        }
        self.repeat_warnings(show);
        for Noticed { mote, what } in noticed {
            let who = mote.map(|mote| self.who(mote.0)).unwrap_or_default();
            out!("{} {who}{what}", self.screen.yellow("warning:"));
        }
    }

    /// Prints what is left to say of a run that has not failed.
    fn print_end(&self, show: &Show<'_>, noticed: &[Noticed], end: Option<End>) {
        if end == Some(End::Halt(Halt::Reached)) && !self.has_end {
            out!("ended after 10 s, the default without --for and a terminal");
        }
        match show.warned().count() + noticed.len() as u64 {
            0 => {}
            count => out!(
                "{}, and no failure; with --strict the first one is a failure",
                many(count, "warning")
            ),
        }
    }

    /// The beginning of a sentence about a mote: its name, if there are several.
    fn who(&self, mote: u32) -> String {
        match self.world.motes().len() {
            1 => String::new(),
            _ => format!("{}: ", self.names.long(mote)),
        }
    }

    /// Prints again what was warned of during the run, unless it is the error that follows.
    fn repeat_warnings(&self, show: &Show<'_>) {
        if self.record.strict || show.warned().count() == 0 {
            return;
        }
        out!("{}", self.screen.yellow("warnings of the run:"));
        show.warned().lines(|mote| self.who(mote)).iter().for_each(|line| out!("{line}"));
    }

    /// What to warn of at the end.
    fn noticed(&self, show: &Show<'_>) -> Vec<Noticed> {
        let of_motes = self.ending.warnings(&self.world).into_iter();
        let of_motes = of_motes.map(|(mote, what)| Noticed { mote: Some(mote), what });
        let of_air = show.air().and_then(|air| frames::warning(air.tally(), &self.names));
        of_motes.chain(of_air.map(|what| Noticed { mote: None, what })).collect()
    }

    /// Writes what was typed to a file that replays it: in the tree for a program of it, else among the
    /// system's temporary files.
    fn keep_recording(&self, here: &Here, elf: &Path) -> Result<Option<PathBuf>, Failure> {
        if !self.keyboard.has_typed() {
            return Ok(None);
        }
        let built = here.tree.built();
        let folder =
            if elf.starts_with(built) { built.to_path_buf() } else { std::env::temp_dir() };
        let name = elf.file_stem().map_or("mote".into(), |name| name.to_string_lossy());
        let text = self.world.recording(self.mote).to_string();
        let file = write_new(&folder.join("typed"), &name, &text).map_err(|error| {
            Failure::failed(format!("what was typed is lost: {error}")).at(Place::file(&folder))
        })?;
        Ok(Some(file))
    }
}

/// A slice that is about as long as can be, if the last one took `elapsed`.
fn adapted(slice: Time, elapsed: Duration) -> Time {
    match elapsed {
        _ if elapsed > SLICE_TAKES => (slice / 2).max(Time::from_us(100)),
        _ if elapsed < SLICE_TAKES / 4 => (slice * 2).min(SLICE),
        _ => slice,
    }
}

/// Writes a file of its own for each of several runs: `NAME.txt`, `NAME-2.txt` and so on.
fn write_new(folder: &Path, name: &str, text: &str) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let mut number = 1;
    loop {
        let suffix = if number == 1 { String::new() } else { format!("-{number}") };
        let path = folder.join(format!("{name}{suffix}.txt"));
        match File::create_new(&path) {
            Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}
