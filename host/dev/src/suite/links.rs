// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random histories of networks of two or three motes, held against what links promise (`lichen_model::link`): part of the group
//! `network`. The motes run `test/network/actor`.
//!
//! A test is `network/histories/BOARDS/KIND`; its histories come in lots, each made from its number. `#17` after the name runs
//! lot 17 alone and prints what the motes said and heard.

use super::{Context, Listener, Report, Verdict, mote};
use lichen_board::Board;
use lichen_chip::Time;
use lichen_device::part::Condition;
use lichen_image::Image;
use lichen_model::link::{Act, Kind, Line, Ms, Plan, Said, Step, broken};
use lichen_parallel::in_parallel;
use lichen_project::Program;
use lichen_trace::{Error, Event, Kind as Happened, Sink};
use lichen_world::{Action, Layout, Link, MoteId, Setup, Space, Topology, World};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// The program of all motes.
const PROGRAM: &str = "test/network/actor";
/// What the motes of a network are, one after the other.
const BOARDS: &[(&str, &[&str])] = &[
    ("hamilton", &["hamilton"]),
    ("micaz", &["micaz"]),
    ("mica2", &["mica2"]),
    ("mixed", &["hamilton", "micaz"]),
];
/// Sends of a history, and histories of a kind: of all together, ten seconds on two processors, and ten thousand in the long run.
const SENDS: u16 = 40;
const LOTS: u64 = 2;
const LOTS_LONG: u64 = 500;
/// After its start a mote is asked for its address.
const OPEN: Ms = 300;

/// The bytes of a frame that are told.
const HEADER: usize = 11;

/// What a mote runs, and on what.
#[derive(Clone)]
struct Kit {
    board: Arc<Board>,
    image: Arc<Image>,
}

/// Runs those of the histories that are asked for.
pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let mut kits = BTreeMap::new();
    for (network, boards) in BOARDS {
        for kind in Kind::ALL {
            let test = format!("histories/{network}/{}", kind.name());
            let (named, only) = asked(context, &test);
            if !context.wants(&named) {
                continue;
            }
            let verdict = match equip(context, boards, &mut kits, listener) {
                Ok(kits) => of_kind(context, &kits, (kind, &test, only), listener),
                Err(report) => Verdict::Failed(*report),
            };
            context.tell(listener, named, verdict);
        }
    }
}

/// The test's name as the filter has it, and the lot that it asks for.
fn asked(context: &Context<'_>, test: &str) -> (String, Option<u64>) {
    let lot = context.suite.filter.as_deref().and_then(|filter| filter.split_once('#'));
    match lot.and_then(|(_, lot)| lot.parse().ok().map(|number| (lot, number))) {
        Some((lot, number)) => (format!("{test}#{lot}"), Some(number)),
        None => (test.to_string(), None),
    }
}

/// Builds what the boards run.
fn equip(
    context: &Context<'_>,
    boards: &[&'static str],
    kits: &mut BTreeMap<&'static str, Kit>,
    listener: &mut dyn Listener,
) -> Result<Vec<Kit>, Box<Report>> {
    let saying = |error: &dyn std::fmt::Display| Box::new(Report::saying(error.to_string()));
    let program = Program::at(context.tree(), context.tree().path(PROGRAM));
    let program = program.map_err(|error| Box::new(Report::of(&error)))?;
    for name in boards {
        if !kits.contains_key(name) {
            let image = mote::prepare(context, &program, name, &format!("{name}/actor"), listener)?;
            let board = Board::find(&context.tree().path("board"), name);
            let board = board.map_err(|error| saying(&error))?.into();
            kits.insert(name, Kit { board, image: image.into() });
        }
    }
    Ok(boards.iter().filter_map(|name| kits.get(name).cloned()).collect())
}

fn of_kind(
    context: &Context<'_>,
    kits: &[Kit],
    (kind, test, only): (Kind, &str, Option<u64>),
    listener: &mut dyn Listener,
) -> Verdict {
    let lots = if context.suite.long { LOTS_LONG } else { LOTS };
    let lots: Vec<u64> = only.map_or((0..lots).collect(), |lot| vec![lot]);
    let mut told = |done| {
        listener.working(context.group, &format!("{test}: {done} of {} histories", lots.len()));
    };
    let work = |(): &mut (), index: usize| {
        let lot: u64 = lots[index];
        let has_numbers = kits.iter().all(|kit| kit.board.name != "mica2");
        // Where an acknowledgment names nobody, a third mote would give one.
        let plan = Plan::of(kind, lot, SENDS, if has_numbers { 3 } else { 2 });
        let (lines, air) = match play(kits, &plan) {
            Ok(played) => played,
            Err(error) => return Some(Report::saying(format!("#{lot}: {error}"))),
        };
        let what = match broken(&plan, &lines, has_numbers) {
            Some(broken) => broken.to_string(),
            None if only.is_some() => "this lot alone: no promise is broken".to_string(),
            None => return None,
        };
        Some(Report {
            message: format!("#{lot}: {what}"),
            remedy: Some(format!("to run this history alone: lichen test 'network/{test}#{lot}'")),
            output: Some(told_of(&plan, &lines, &air)),
            ..Report::default()
        })
    };
    let results = in_parallel(lots.len(), || Ok::<(), ()>(()), work, &mut told);
    let results = results.unwrap_or_default();
    let failed = lots.iter().zip(results).filter_map(|(lot, report)| Some((*lot, report?)));
    all_of(lots.len(), failed.collect())
}

/// The first report of those that failed, which also names the others.
fn all_of(lots: usize, failed: Vec<(u64, Report)>) -> Verdict {
    let count = failed.len();
    let others: Vec<String> = failed.iter().skip(1).map(|(lot, _)| format!("#{lot}")).collect();
    let Some((_, mut first)) = failed.into_iter().next() else { return Verdict::Passed };
    if count > 1 {
        let others = others.join(" ");
        first.message =
            format!("{}; {count} of {lots} histories fail, also {others}", first.message);
    }
    Verdict::Failed(first)
}

/// What was done, said and heard, in the order of time.
fn told_of(plan: &Plan, lines: &[Line], air: &[(Ms, usize, String)]) -> String {
    let mut text = format!("{} motes, ways {:?}\n", plan.motes, plan.ways);
    let acts = plan.steps.iter().map(|step| (step.at, step.mote, format!("{:?}", step.act)));
    let said = lines.iter().map(|line| (line.at, line.mote, format!("    {:?}", line.said)));
    let mut all: Vec<(Ms, usize, String)> = acts.chain(said).chain(air.iter().cloned()).collect();
    all.sort_by_key(|(at, _, _)| *at);
    for (at, mote, what) in all {
        let _ = writeln!(text, "{at:>7} ms  {mote} {what}");
    }
    text
}

/// Lets the motes do it. Returns what they say, and the frames that they hear.
fn play(kits: &[Kit], plan: &Plan) -> Result<Played, lichen_world::Error> {
    let mut world = World::with_seed(plan.seed);
    world.make_noisy();
    let mut layout: Layout = Topology::Full.layout(plan.motes, None, plan.seed);
    layout.links.extend(plan.ways.iter().map(|(from, to, quality)| Link {
        from: *from as u32,
        to: *to as u32,
        loss: None,
        quality: *quality,
        fades: Vec::new(),
    }));
    world.set_medium(Box::new(Space::new(layout, plan.seed)));
    for mote in 0..plan.motes {
        let Kit { board, image } = kits[mote % kits.len()].clone();
        world.add_with(board, image, Setup::default())?;
    }
    let mut log = Log { printed: vec![Vec::new(); plan.motes], ..Log::default() };
    world.run(ms(OPEN), &mut log)?;
    for step in &plan.steps {
        world.run(ms(step.at), &mut log)?;
        let addresses = log.addresses();
        world.act(MoteId(step.mote as u32), action(kits, step, &addresses))?;
    }
    world.run(ms(plan.end), &mut log)?;
    let lines = log.read();
    Ok((lines, log.air))
}

type Played = (Vec<Line>, Vec<(Ms, usize, String)>);

fn ms(at: Ms) -> Time {
    Time::from_ms(u64::from(at))
}

/// What is done to a mote of which the addresses of all are known. A line begins with an empty one: the first character may
/// begin in the very microsecond in which the mote falls asleep, and is lost then.
fn action(kits: &[Kit], Step { mote, act, .. }: &Step, addresses: &[u16]) -> Action {
    const TO_ALL: u16 = 0xffff;
    match act {
        Act::Send { to, number, count, bytes } => {
            let to = to.map_or(TO_ALL, |to| addresses[to]);
            Action::Type(format!("\ns {to} {number} {count} {bytes}\n").into_bytes())
        }
        Act::Reset => Action::Reset,
        Act::Power(on) => Action::Power { on: *on },
        Act::Radio(works) => {
            let radio = kits[mote % kits.len()].board.radio.as_ref();
            let name = radio.map(|radio| radio.part.to_lowercase()).unwrap_or_default();
            let condition = if *works { Condition::Works } else { Condition::Absent };
            Action::Part { name, condition }
        }
        Act::Count => Action::Type(b"\nl\n".to_vec()),
    }
}

/// What the motes print, and what goes wrong.
#[derive(Default)]
struct Log {
    printed: Vec<Vec<u8>>,
    lines: Vec<(Ms, usize, String)>,
    /// The first bytes of each frame that is heard, and what becomes of it.
    air: Vec<(Ms, usize, String)>,
}

impl Sink for Log {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        let (at, mote) = ((event.time.us() / 1_000) as Ms, event.mote as usize);
        let mut say = |text: String| self.lines.push((at, mote, text));
        match &event.kind {
            Happened::Uart { dir: "out", data, .. } if *data == b'\n' => {
                let line = std::mem::take(&mut self.printed[mote]);
                say(String::from_utf8_lossy(&line).trim_end().to_string());
            }
            Happened::Uart { dir: "out", data, .. } => self.printed[mote].push(*data),
            // Half a line that the restart has cut.
            Happened::Reset { .. } => self.printed[mote].clear(),
            Happened::Heard { sender, fate, frame, .. } => {
                let start = &frame.bytes[..frame.bytes.len().min(HEADER)];
                let bytes: String = start.iter().map(|byte| format!("{byte:02x}")).collect();
                let heard = format!("        {sender}: {bytes} of {}, {fate}", frame.bytes.len());
                self.air.push((at, mote, heard));
            }
            Happened::Panic { thread, reason, .. } => say(format!("panic in {thread}: {reason}")),
            Happened::Fault { reason, .. } => say(format!("fault: {reason}")),
            Happened::Warning { what, .. } => say(format!("warning: {what}")),
            _ => {}
        }
        Ok(())
    }
}

impl Log {
    /// The motes' addresses, as they have told them last.
    fn addresses(&self) -> Vec<u16> {
        let mut addresses = vec![0; self.printed.len()];
        for (_, mote, line) in &self.lines {
            if let Some(own) = line.strip_prefix("started ").and_then(|own| own.parse().ok()) {
                addresses[*mote] = own;
            }
        }
        addresses
    }

    fn read(&self) -> Vec<Line> {
        let addresses = self.addresses();
        let lines = self.lines.iter();
        lines
            .map(|(at, mote, line)| Line { at: *at, mote: *mote, said: said(line, &addresses) })
            .collect()
    }
}

/// What a line says, as `test/network/actor` describes it.
fn said(line: &str, addresses: &[u16]) -> Said {
    let words: Vec<&str> = line.split(' ').collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u16>().ok());
    let from = || number(1).and_then(|own| addresses.iter().position(|other| *other == own));
    let known = match words[0] {
        "started" => Some(Said::Started),
        "refused" => number(1).map(Said::Refused),
        "ended" => number(1)
            .zip(number(2))
            .map(|(number, error)| Said::Ended { number, error: error as u8 }),
        "got" => from().zip(number(2)).map(|(from, number)| Said::Got { from, number }),
        "spoilt" => Some(Said::Spoilt),
        "lost" => number(1)
            .map(|count| Said::Lost { count: u32::from(count), reason: words[2..].join(" ") }),
        "counted" => Some(Said::Counted),
        _ => None,
    };
    known.unwrap_or_else(|| Said::Other(line.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_histories_that_fail_are_named() {
        let failed = |lot: u64| (lot, Report::saying(format!("#{lot}: no")));
        let message = |failed| match all_of(9, failed) {
            Verdict::Failed(report) => report.message,
            _ => String::new(),
        };
        assert_eq!(message(Vec::new()), "");
        assert_eq!(message(vec![failed(3)]), "#3: no");
        let three = vec![failed(3), failed(5), failed(8)];
        assert_eq!(message(three), "#3: no; 3 of 9 histories fail, also #5 #8");
    }
}
