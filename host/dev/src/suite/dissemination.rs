// SPDX-License-Identifier: MIT OR Apache-2.0
//! An object that goes from one mote to all: 15 motes over four hops, which run `test/network/disseminate`. Part of the group
//! `network`; a test is `network/dissemination/BOARD/CASE`.

use super::{Context, Listener, Report, Verdict, mote, side_by_side};
use lichen_board::Board;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_project::Program;
use lichen_trace::{Error, Event, Kind as Happened, Sink};
use lichen_world::{
    Action, Layout, Link, MoteId, Place, Position, Propagation, Setup, Space, World,
};
use std::collections::BTreeMap;
use std::sync::Arc;

const PROGRAM: &str = "test/network/disseminate";
const LIES: &str = "test/network/lies";
/// Motes at each distance from the source, in hops. Each hears those that are one hop nearer, as near, or one hop farther.
const AT: [usize; 5] = [1, 4, 4, 3, 3];
const HOPS: f64 = 4.0;
const BYTES: u32 = 4_096;
/// What the frames are counted by: a page of flash.
const PAGES: f64 = BYTES as f64 / 256.0;
/// When the first object comes to the source.
const FED: u64 = 5_000;
/// How long a run goes on when all have the object; in the long run as long as they may take for it.
const REST: Time = Time::from_s(2);
/// Of the messages of dissemination, as in `lichen/dissemination.h`.
const TYPE: u8 = 0xd1;

/// What is done to one of the motes: at so many milliseconds.
type Step = (u64, usize, fn() -> Action);

/// Whether a line is meant.
type Heard = fn(&str) -> bool;

/// A test of a network.
struct Case {
    name: &'static str,
    boards: &'static [&'static str],
    /// The part of the frames that each link passes on.
    quality: f64,
    steps: &'static [Step],
    /// A mote that begins without power.
    late: Option<usize>,
    /// Whether the last mote lies.
    lies: bool,
    /// The number of the object that all have at the end, and from when on, and within how many seconds on IEEE 802.15.4.
    object: u16,
    from: u64,
    seconds: u64,
    /// Frames for each page and hop, at the most.
    frames: Option<f64>,
    /// `fuzz/dissemination` has hundreds of the kind: only a long run has it on boards.
    fuzzed: bool,
    /// What a mote says besides, if it is on a board of IEEE 802.15.4.
    says: Option<(usize, Heard)>,
}

const USUAL: Case = Case {
    name: "hops",
    boards: &["hamilton", "micaz", "mica2"],
    quality: 1.0,
    steps: &[],
    late: None,
    lies: false,
    object: 5,
    from: FED,
    seconds: 60,
    frames: Some(3.0),
    fuzzed: false,
    says: None,
};

const CASES: &[Case] = &[
    USUAL,
    Case { name: "lossy", quality: 0.8, frames: None, fuzzed: true, ..USUAL },
    // In the middle of what it gets; afterwards it has most of it.
    Case {
        name: "reset",
        boards: &["hamilton", "micaz"],
        steps: &[(8_800, 6, || Action::Reset)],
        frames: None,
        says: Some((6, has_some)),
        ..USUAL
    },
    // Without power for a moment: it gets all of it, whatever its RAM has forgotten.
    Case {
        name: "cut",
        steps: &[
            (9_000, 2, || Action::Power { on: false }),
            (9_000, 6, || Action::Power { on: false }),
            (9_500, 2, || Action::Power { on: true }),
            (9_500, 6, || Action::Power { on: true }),
        ],
        frames: None,
        fuzzed: true,
        ..USUAL
    },
    // One that is switched on when all others have it.
    Case {
        name: "late",
        steps: &[(60_000, 13, || Action::Power { on: true })],
        late: Some(13),
        from: 60_000,
        seconds: 30,
        frames: None,
        fuzzed: true,
        ..USUAL
    },
    // From the other end comes a newer one, while the first is on its way.
    Case {
        name: "newer",
        steps: &[(8_000, 14, || feed(6))],
        object: 6,
        from: 8_000,
        frames: None,
        fuzzed: true,
        ..USUAL
    },
    Case { name: "lies", lies: true, frames: None, seconds: 90, ..USUAL },
];

fn feed(number: u16) -> Action {
    Action::Type(format!("\nf {number} {BYTES}\n").into_bytes())
}

/// Of the first object a mote has more than nothing, and not all.
fn has_some(line: &str) -> bool {
    let bytes = line.strip_prefix("has 5 ").and_then(|bytes| bytes.parse().ok());
    bytes.is_some_and(|bytes: u32| (1_000..BYTES).contains(&bytes))
}

/// Whether it waits for a long run: what is no figure runs on one board, if at all, and another one for each case.
fn is_long(index: usize, case: &Case, board: &str) -> bool {
    case.fuzzed || case.frames.is_none() && board != case.boards[index % case.boards.len()]
}

/// Runs those of the tests that are asked for.
pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let due = |case: usize, board: &str| context.suite.long || !is_long(case, &CASES[case], board);
    let all = CASES.iter().enumerate().flat_map(|(index, case)| {
        case.boards
            .iter()
            .map(move |board| (index, case, *board, format!("dissemination/{board}/{}", case.name)))
    });
    let wanted: Vec<_> =
        all.filter(|(index, _, board, name)| context.wants(name) && due(*index, board)).collect();
    side_by_side(&wanted, listener, |(_, case, board, name), listener| {
        listener.working(context.group, name);
        let verdict = match of_case(context, case, board, name, listener) {
            Ok(()) => Verdict::Passed,
            Err(report) => Verdict::Failed(*report),
        };
        context.tell(listener, name, verdict);
    });
}

fn saying(error: &dyn std::fmt::Display) -> Box<Report> {
    Box::new(Report::saying(error.to_string()))
}

fn of_case(
    context: &Context<'_>,
    case: &Case,
    board: &str,
    name: &str,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let honest = prepare(context, PROGRAM, board, listener)?;
    let liar = if case.lies { Some(prepare(context, LIES, board, listener)?) } else { None };
    let board =
        Board::find(&context.tree().path("board"), board).map_err(|error| saying(&error))?;
    let rest = if context.suite.long { Time::from_s(case.seconds) } else { REST };
    let kit = Kit { board: board.into(), honest, liar };
    let log = play(case, &kit, rest).map_err(|error| saying(&error))?;
    let report = |message| Box::new(Report { output: Some(log.text()), ..Report::saying(message) });
    let outcome = judge(case, &log).map_err(report)?;
    if case.frames.is_some() {
        listener.figure(context.group, &format!("{name}: {outcome}"));
    }
    Ok(())
}

fn prepare(
    context: &Context<'_>,
    path: &str,
    board: &str,
    listener: &mut dyn Listener,
) -> Result<Arc<Image>, Box<Report>> {
    let program = Program::at(context.tree(), context.tree().path(path));
    let program = program.map_err(|error| Box::new(Report::of(&error)))?;
    let name = format!("{board}/{}", program.manifest.name);
    Ok(mote::prepare(context, &program, board, &name, listener)?.into())
}

/// How many hops each mote is away.
fn distances() -> Vec<u8> {
    let at = AT.iter().zip(0u8..);
    at.flat_map(|(count, hops)| std::iter::repeat_n(hops, *count)).collect()
}

fn layout(quality: f64) -> Layout {
    const SPACING: f64 = 10.0;
    let at = distances();
    let place = |hops: &u8| Place::fixed(Position { x: f64::from(*hops) * SPACING, y: 0.0 });
    let near = |from: usize, to: usize| from != to && at[from].abs_diff(at[to]) <= 1;
    let pairs = (0..at.len()).flat_map(|from| (0..at.len()).map(move |to| (from, to)));
    let link = |(from, to): (usize, usize)| Link {
        from: from as u32,
        to: to as u32,
        loss: None,
        quality,
        fades: Vec::new(),
    };
    Layout {
        propagation: Propagation::UnitDisk { range: 1.5 * SPACING },
        places: at.iter().map(place).collect(),
        walls: Vec::new(),
        links: pairs.filter(|(from, to)| quality < 1.0 && near(*from, *to)).map(link).collect(),
        interference: Vec::new(),
    }
}

/// What the motes are, and what they run.
struct Kit {
    board: Arc<Board>,
    honest: Arc<Image>,
    /// On the last of them.
    liar: Option<Arc<Image>>,
}

/// Lets the motes do it, and go on for `rest` when all have the object.
fn play(case: &Case, kit: &Kit, rest: Time) -> Result<Log, lichen_world::Error> {
    const SEED: u64 = 7;
    let motes = distances().len();
    let mut world = World::with_seed(SEED);
    world.make_noisy();
    world.set_medium(Box::new(Space::new(layout(case.quality), SEED)));
    for mote in 0..motes {
        let liar = kit.liar.as_ref().filter(|_| mote + 1 == motes);
        let image = liar.unwrap_or(&kit.honest);
        world.add_with(kit.board.clone(), image.clone(), Setup::default())?;
    }
    let mut log = Log { lines: Vec::new(), printed: vec![Vec::new(); motes], sent: Vec::new() };
    if let Some(late) = case.late {
        world.act(MoteId(late as u32), Action::Power { on: false })?;
    }
    let first: Step = (FED, 0, || feed(5));
    for (at, mote, action) in std::iter::once(&first).chain(case.steps) {
        world.run(Time::from_ms(*at), &mut log)?;
        world.act(MoteId(*mote as u32), action())?;
    }
    let end = Time::from_ms(case.from + case.seconds * 1_000);
    while world.now() < end && !is_over(case, &log, world.now(), rest) {
        world.run((world.now() + Time::from_s(1)).min(end), &mut log)?;
    }
    Ok(log)
}

/// Motes that do not lie.
fn honest(case: &Case) -> usize {
    distances().len() - usize::from(case.lies)
}

/// Whether all have had the object for so long.
fn is_over(case: &Case, log: &Log, now: Time, rest: Time) -> bool {
    let ends = ends(case, log);
    let last = ends.values().copied().max().map(Time::from_ms);
    (0..honest(case)).all(|mote| ends.contains_key(&mote))
        && last.is_some_and(|last| last + rest <= now)
}

/// What the source prints when it has the object.
fn origin(case: &Case) -> String {
    format!("fed {} 0", case.object)
}

/// When motes had the object first, in milliseconds.
fn ends(case: &Case, log: &Log) -> BTreeMap<usize, u64> {
    let (whole, origin) = (format!("whole {} {BYTES}", case.object), origin(case));
    let mut ends = BTreeMap::new();
    for (at, mote, _) in log.lines.iter().filter(|(_, _, line)| *line == whole || *line == origin) {
        ends.entry(*mote).or_insert(*at);
    }
    ends
}

/// What came of it, in a line, or what is wrong.
fn judge(case: &Case, log: &Log) -> Result<String, String> {
    let (ends, origin) = (ends(case, log), origin(case));
    for (_, mote, line) in &log.lines {
        if line.starts_with("wrong") || line.starts_with("fed ") && !line.ends_with(" 0") {
            return Err(format!("mote {mote}: {line}"));
        }
        if let Some(what) = line.strip_prefix("! ") {
            return Err(format!("mote {mote}: {what}"));
        }
    }
    if let Some(mote) = (0..honest(case)).find(|mote| !ends.contains_key(mote)) {
        return Err(format!("mote {mote} has not got object {}", case.object));
    }
    if let Some((mote, says)) = case.says {
        if !log.lines.iter().any(|(_, other, line)| *other == mote && says(line)) {
            return Err(format!("mote {mote} does not go on with what it had"));
        }
    }
    let begin = log.lines.iter().find(|(_, _, line)| *line == origin).map_or(0, |(at, _, _)| *at);
    let end = ends.values().copied().max().unwrap_or(0);
    let frames = log.sent.iter().filter(|at| (begin..=end).contains(*at)).count();
    let each = frames as f64 / PAGES / HOPS;
    let seconds = (end - begin.max(case.from)) as f64 / 1_000.0;
    if let Some(most) = case.frames
        && each > most
    {
        return Err(format!("{frames} frames, {each:.2} for each page and hop"));
    }
    Ok(format!("{BYTES} bytes in {seconds:.1} s, {frames} frames, {each:.2} for each page and hop"))
}

/// What the motes print, in milliseconds, and when they send what.
struct Log {
    printed: Vec<Vec<u8>>,
    lines: Vec<(u64, usize, String)>,
    sent: Vec<u64>,
}

impl Sink for Log {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        let (at, mote) = (event.time.us() / 1_000, event.mote as usize);
        let mut say = |text: String| self.lines.push((at, mote, text));
        match &event.kind {
            Happened::Uart { dir: "out", data: b'\n', .. } => {
                let line = std::mem::take(&mut self.printed[mote]);
                say(String::from_utf8_lossy(&line).trim_end().to_string());
            }
            Happened::Uart { dir: "out", data, .. } => self.printed[mote].push(*data),
            Happened::Sent { frame } if frame.bytes.contains(&TYPE) => self.sent.push(at),
            Happened::Panic { thread, reason, .. } => say(format!("! panic in {thread}: {reason}")),
            Happened::Fault { reason, .. } => say(format!("! fault: {reason}")),
            Happened::Warning { what, .. } => say(format!("! {what}")),
            _ => {}
        }
        Ok(())
    }
}

impl Log {
    fn text(&self) -> String {
        let line = |(at, mote, line): &(u64, usize, String)| format!("{at:>7} ms  {mote} {line}\n");
        self.lines.iter().map(line).collect()
    }
}
