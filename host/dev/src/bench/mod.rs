// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measuring figures: in cycles on the simulated mote, and the simulator's own speed on this machine.
//!
//! A group is a folder of `bench/` with a `bench.toml` that says what to measure, and the programs to
//! measure it on. They are ordinary programs: counting goes from one symbol to another.

mod bursts;
mod busy;
mod chart;
mod code;
mod container;
mod current;
mod features;
mod jitter;
mod latency;
mod load;
mod lost;
mod measure;
mod motes;
mod naps;
mod network;
mod overhead;
mod period;
mod plan;
mod rom;
mod size;
mod snapshot;
mod speed;
mod throughput;
mod traffic;
mod wakeups;

use crate::figure::{Figure, Value, figures};
use lichen_board::Board;
use lichen_build::{Artifacts, BuildError, Progress};
use lichen_image::Image;
use lichen_isa::Architecture;
use lichen_project::Source;
use lichen_project::{Explain, FileError, Place, Tree, TreeError};
use lichen_trace::{Event, Sink};
use plan::{Plan, Title};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// One measured value, to be printed.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The figure with everything known about it, or a text for a value printed beside the one
    /// before.
    pub title: ReadingTitle,
    /// The value.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// How it was obtained: the spread of the passes, the parts of a mean.
    pub detail: String,
    /// Parts of the kernel that are in the measured program.
    pub features: Vec<String>,
    /// What it shows as a picture, with others.
    pub picture: Option<Picture>,
}

/// A picture of what was measured.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Its name as a file.
    pub file: String,
    /// SVG.
    pub svg: String,
}

/// The title of a reading.
#[derive(Clone, Debug)]
pub enum ReadingTitle {
    /// A figure, and its record for the bench file.
    Figure(Box<Figure>, Value),
    /// In words.
    Beside(String),
}

/// Why something cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// No group has this name.
    #[error("there is no group `{name}` of benchmarks")]
    UnknownGroup {
        /// The requested name.
        name: String,
        /// The groups that exist.
        known: Vec<String>,
    },
    /// A plan or the file of figures has an error.
    #[error(transparent)]
    File(#[from] FileError),
    /// The tree has an error.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A program does not build.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The board file has an error.
    #[error(transparent)]
    Board(#[from] lichen_board::Error),
    /// The image is wrong.
    #[error(transparent)]
    Image(#[from] lichen_image::Error),
    /// The board's chip is not simulated.
    #[error(transparent)]
    Chip(#[from] lichen_chip::UnknownPart),
    /// The mote cannot be made.
    #[error(transparent)]
    World(#[from] lichen_world::Error),
    /// The group is measured on other boards only.
    #[error("the group `{group}` is not measured on {board}")]
    NotOnBoard {
        /// The group.
        group: String,
        /// The board that was asked for.
        board: String,
        /// The boards of its plan.
        on: Vec<String>,
    },
    /// The plan asks for something that does not exist, or that did not happen.
    #[error("{message}")]
    Plan {
        /// The plan.
        file: PathBuf,
        /// What is wrong.
        message: String,
    },
}

impl Explain for BenchError {
    fn place(&self) -> Option<Place> {
        match self {
            BenchError::File(error) => error.place(),
            BenchError::Tree(error) => error.place(),
            BenchError::Build(error) => error.place(),
            BenchError::Plan { file, .. } => Some(Place::file(file)),
            _ => None,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            BenchError::UnknownGroup { name, known } => {
                Some(lichen_project::tree::choose("groups", name, known))
            }
            BenchError::NotOnBoard { group, board, on } => Some(format!(
                "it is measured on {}; a program runs on {board} once its folder builds there and \
                 bench/{group}/bench.toml names the board",
                on.join(", ")
            )),
            BenchError::File(error) => error.remedy(),
            BenchError::Tree(error) => error.remedy(),
            BenchError::Build(error) => error.remedy(),
            BenchError::Plan { .. } => {
                Some("doc/spec/bench.md describes the file; correct it or its program".to_string())
            }
            _ => None,
        }
    }
}

/// Receives reports of progress.
pub type OnWork<'a> = &'a mut dyn FnMut(&str);

/// Processor time since some moment; the caller reads the clock, since libraries do not.
pub type Stopwatch<'a> = &'a dyn Fn() -> Duration;

/// What is read on the host, by the caller.
pub struct Meters<'a> {
    /// Processor time of this thread.
    pub processor_time: Stopwatch<'a>,
    /// Time on the wall.
    pub real_time: Stopwatch<'a>,
    /// Memory of this process that is in use.
    pub resident_bytes: &'a dyn Fn() -> u64,
}

/// Names of the groups of `tree`: folders of `bench/` that have a plan.
pub fn groups(tree: &Tree) -> Result<Vec<String>, TreeError> {
    let folders = lichen_project::tree::list(&tree.path("bench"))?;
    Ok(folders
        .iter()
        .filter(|folder| folder.join("bench.toml").is_file())
        .filter_map(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()))
        .collect())
}

/// Ignores all events.
struct Nobody;

impl Sink for Nobody {
    fn event(&mut self, _: &Event) -> Result<(), lichen_trace::Error> {
        Ok(())
    }
}

/// A group that is being measured.
struct Rig<'a> {
    tree: &'a Tree,
    group: &'a str,
    file: PathBuf,
    board: Board,
    architecture: &'static Architecture,
    figures: &'a [Figure],
}

/// Boards that `group` is measured on; the first one unless another is asked for.
pub fn boards(tree: &Tree, group: &str) -> Result<Vec<String>, BenchError> {
    Ok(plan(tree, group)?.1.boards)
}

/// The file of `group`, and what it says.
fn plan(tree: &Tree, group: &str) -> Result<(PathBuf, Plan), BenchError> {
    let known = groups(tree)?;
    if !known.iter().any(|known| known == group) {
        return Err(BenchError::UnknownGroup { name: group.to_string(), known });
    }
    let file = tree.path("bench").join(group).join("bench.toml");
    let (plan, _) = lichen_project::read_toml::<Plan>(&file)?;
    match plan.mistake() {
        None => Ok((file, plan)),
        Some(message) => Err(BenchError::Plan { file: tree.shown(&file).to_path_buf(), message }),
    }
}

/// Measures everything that `group` says for `board`, in the order of the file.
pub fn measure(
    tree: &Tree,
    group: &str,
    board: &str,
    meters: &Meters<'_>,
    on_work: OnWork,
) -> Result<Vec<Reading>, BenchError> {
    with_rig(tree, group, board, |rig, plan| rig.all(plan, meters, on_work))
}

/// Measures the cycles between places and the bytes that `group` says for `board`: what is the same on every
/// machine.
pub fn measure_exact(
    tree: &Tree,
    group: &str,
    board: &str,
    on_work: OnWork,
) -> Result<Vec<Reading>, BenchError> {
    with_rig(tree, group, board, |rig, plan| rig.exact(plan, on_work))
}

fn with_rig(
    tree: &Tree,
    group: &str,
    board: &str,
    measure: impl FnOnce(&Rig<'_>, &Plan) -> Result<Vec<Reading>, BenchError>,
) -> Result<Vec<Reading>, BenchError> {
    let figures = figures(tree)?;
    let (file, plan) = plan(tree, group)?;
    let board = Board::find(&tree.path("board"), board)?;
    if !plan.boards.contains(&board.name) {
        let group = group.to_string();
        return Err(BenchError::NotOnBoard { group, board: board.name, on: plan.boards });
    }
    let chip = lichen_chip::by_part(&board.chip, &board.config());
    let architecture = chip?.core().architecture();
    let rig = Rig { tree, group, file, board, architecture, figures: &figures };
    measure(&rig, &plan)
}

impl Rig<'_> {
    /// Measures everything that `plan` says for the board.
    fn all(
        &self,
        plan: &Plan,
        meters: &Meters<'_>,
        on_work: OnWork,
    ) -> Result<Vec<Reading>, BenchError> {
        let stopwatch = meters.processor_time;
        let name = self.board.name.as_str();
        let mut readings = self.exact(plan, on_work)?;
        for entry in plan.wakeups.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.wakeups(entry, on_work)?);
        }
        for entry in plan.current.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.current(entry, on_work)?);
        }
        for entry in plan.period.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.period(entry, on_work)?);
        }
        for entry in plan.busy.iter().filter(|entry| entry.is_of(name)) {
            readings.extend(self.busy(entry, on_work)?);
        }
        for entry in plan.overhead.iter().filter(|entry| entry.is_of(name)) {
            readings.extend(self.overhead(entry, on_work)?);
        }
        for entry in plan.bursts.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.bursts(entry, on_work)?);
        }
        for entry in plan.throughput.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.throughput(entry, on_work)?);
        }
        for entry in plan.lost.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.lost(entry, on_work)?);
        }
        for entry in plan.traffic.iter().filter(|entry| entry.is_of(name)) {
            readings.extend(self.traffic(entry, on_work)?);
        }
        for entry in plan.jitter.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.jitter(entry, on_work)?);
        }
        for entry in plan.latency.iter().filter(|entry| entry.is_of(name)) {
            readings.extend(self.latency(entry, on_work)?);
        }
        for entry in plan.speed.iter().filter(|entry| entry.is_of(name)) {
            readings.extend(self.speed(entry, stopwatch, on_work)?);
        }
        for entry in plan.naps.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.naps(entry, stopwatch, on_work)?);
        }
        for entry in plan.snapshot.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.snapshot(entry, stopwatch, on_work)?);
        }
        for entry in plan.network.iter().filter(|entry| entry.is_of(name)) {
            readings.extend(self.network(entry, meters, on_work)?);
        }
        Ok(readings)
    }

    /// Measures cycles between places, bytes, and loading.
    fn exact(&self, plan: &Plan, on_work: OnWork) -> Result<Vec<Reading>, BenchError> {
        let name = self.board.name.as_str();
        let mut readings = Vec::new();
        for entry in plan.measure.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.measure(entry, on_work)?);
        }
        for entry in plan.size.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.size(entry, on_work)?);
        }
        for entry in plan.rom.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.rom(entry, on_work)?);
        }
        for entry in plan.container.iter().filter(|entry| entry.is_of(name)) {
            readings.extend(self.container(entry, on_work)?);
        }
        for entry in plan.load.iter().filter(|entry| entry.is_of(name)) {
            readings.push(self.load(entry, on_work)?);
        }
        Ok(readings)
    }

    /// Builds `program` of the group, or `GROUP/PROGRAM` of another one; returns its image and the parts
    /// of the kernel in it.
    fn build(&self, program: &str, on_work: OnWork) -> Result<(Image, Vec<String>), BenchError> {
        let Artifacts { elf, ordinary, .. } = self.artifacts(program, on_work)?;
        // The map of a second link knows no members.
        let of_members = ordinary.as_ref().unwrap_or(&elf).with_extension("map");
        let features = features::of(self.tree, &of_members);
        on_work(&format!("measuring {program}"));
        Ok((Image::load(&elf)?, features))
    }

    /// What is built of `program` of the group, or of `GROUP/PROGRAM` of another one.
    fn artifacts(&self, program: &str, on_work: OnWork) -> Result<Artifacts, BenchError> {
        let label = self.label(program);
        let name = program.rsplit('/').next().unwrap_or(program).to_string();
        let source = Source { folder: self.tree.path(&label), name, label, debug: false };
        let mut tell = |Progress { done, total }| {
            on_work(&format!("building {program} ({done} of {total})"));
        };
        Ok(lichen_build::build_for_test(self.tree, &source, &self.board.name, &mut tell)?)
    }

    /// Path of a program in the tree.
    fn label(&self, program: &str) -> String {
        let (group, name) = program.split_once('/').unwrap_or((self.group, program));
        format!("bench/{group}/{name}")
    }

    /// A reading; its title must be a known figure with the same unit, or words.
    fn reading(
        &self,
        title: Option<Title>,
        value: f64,
        unit: &str,
        detail: String,
        features: Vec<String>,
    ) -> Result<Reading, BenchError> {
        let title = match title {
            Some(Title::Beside(words)) => ReadingTitle::Beside(words),
            Some(Title::Id(id)) => {
                let figure = self.figures.iter().find(|figure| figure.id == id);
                let figure = figure
                    .ok_or_else(|| self.wrong(format!("bench/figures.toml has no `{id}`")))?;
                if figure.unit != unit {
                    let message = format!("`{id}` is in {}, this measures {unit}", figure.unit);
                    return Err(self.wrong(message));
                }
                let value = Value::new(figure, &self.board.name, self.architecture, value);
                ReadingTitle::Figure(Box::new(figure.clone()), value)
            }
            None => return Err(self.wrong("each entry needs either `id` or `beside`")),
        };
        Ok(Reading { title, value, unit: unit.to_string(), detail, features, picture: None })
    }

    fn wrong(&self, message: impl Into<String>) -> BenchError {
        let file = self.tree.shown(Path::new(&self.file)).to_path_buf();
        BenchError::Plan { file, message: message.into() }
    }

    /// Address of the instruction at `symbol`.
    fn address(&self, image: &Image, symbol: &str) -> Result<u32, BenchError> {
        let found = image.symbols().find(symbol);
        let found = found.ok_or_else(|| {
            self.wrong(format!("there is no symbol `{symbol}` in {}", image.name()))
        })?;
        // Bit 0 of a function's address is the Thumb state, not a place.
        Ok(found.address & !1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measuring takes minutes; that a plan names no figure is found only then.
    #[test]
    fn the_plans_of_the_tree_name_figures_that_there_are() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let tree = Tree::at(root).expect("this tree");
        let figures = figures(&tree).expect("figures");
        for group in groups(&tree).expect("groups") {
            let (_, plan) = plan(&tree, &group).expect("a plan");
            let bytes = plan.network.iter().filter_map(|entry| entry.bytes.as_ref());
            let others = bytes.chain(plan.overhead.iter().map(|entry| &entry.energy));
            let others = others.map(|id| Some(Title::Id(id.clone())));
            for title in plan.heads().into_iter().map(|head| head.title).chain(others) {
                match title {
                    Some(Title::Id(id)) => {
                        assert!(figures.iter().any(|figure| figure.id == id), "{group}: {id}");
                    }
                    Some(Title::Beside(words)) => assert!(!words.is_empty(), "{group}"),
                    None => panic!("{group}: an entry with neither or both titles"),
                }
            }
        }
    }
}
