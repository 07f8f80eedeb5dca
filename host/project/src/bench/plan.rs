// SPDX-License-Identifier: MIT OR Apache-2.0
//! The format of `bench/<group>/bench.toml`; `doc/spec/bench.md` describes it.

mod head;

pub use head::Title;

use lichen_device::board::Fitting;
use serde::Deserialize;

/// What a group measures.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Boards to measure on; the first one unless another is asked for.
    #[serde(default = "default_boards")]
    pub boards: Vec<String>,
    /// Cycles between two places of a program.
    #[serde(default)]
    pub measure: Vec<Measure>,
    /// Bytes of a structure or an object.
    #[serde(default)]
    pub size: Vec<Size>,
    /// Flash that parts of the system occupy in a program.
    #[serde(default)]
    pub rom: Vec<Rom>,
    /// Wake-ups between two places of a program.
    #[serde(default)]
    pub wakeups: Vec<Wakeups>,
    /// Mean currents.
    #[serde(default)]
    pub current: Vec<Current>,
    /// Active periods.
    #[serde(default)]
    pub period: Vec<Period>,
    /// Processor time of operations during which the processor may sleep.
    #[serde(default)]
    pub busy: Vec<Busy>,
    /// Cycles and energy of parts of the system in programs that do the same in different periods.
    #[serde(default)]
    pub overhead: Vec<Overhead>,
    /// Bursts of work between long sleeps.
    #[serde(default)]
    pub bursts: Vec<Bursts>,
    /// Frames that come through.
    #[serde(default)]
    pub throughput: Vec<Throughput>,
    /// What is said and not taken.
    #[serde(default)]
    pub lost: Vec<Lost>,
    /// How evenly pins change.
    #[serde(default)]
    pub jitter: Vec<Jitter>,
    /// Latency that is added to interrupts.
    #[serde(default)]
    pub latency: Vec<Latency>,
    /// Speed of the simulator.
    #[serde(default)]
    pub speed: Vec<Speed>,
    /// Time that sleeps take.
    #[serde(default)]
    pub naps: Vec<Naps>,
    /// Time that snapshots take.
    #[serde(default)]
    pub snapshot: Vec<Snapshot>,
    /// Speed and memory of many motes.
    #[serde(default)]
    pub network: Vec<Network>,
}

fn default_boards() -> Vec<String> {
    vec!["hamilton".to_string()]
}

/// Cycles from one symbol to another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Symbol at which counting begins.
    pub from: String,
    /// Whether the instruction there counts.
    #[serde(default)]
    pub begin: Begin,
    /// Symbol at which it ends.
    pub to: String,
    /// Which of the passes counts.
    pub pick: Pick,
    /// Passes that are counted.
    #[serde(default = "default_passes")]
    pub passes: usize,
    /// Passes before them, in which the program settles.
    #[serde(default = "default_skip")]
    pub skip: usize,
    /// Simulated seconds within which all of them must have happened.
    #[serde(default = "default_seconds")]
    pub seconds: f64,
}

fn default_passes() -> usize {
    32
}

fn default_skip() -> usize {
    2
}

fn default_seconds() -> f64 {
    10.0
}

/// Where counting begins at its first symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Begin {
    /// Before the instruction is executed.
    #[default]
    Before,
    /// After it: for a store that requests an interrupt, at the request.
    After,
}

/// Which of several values counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pick {
    /// The smallest.
    Min,
    /// The middle one.
    Median,
    /// The largest.
    Max,
}

impl Pick {
    /// The value that counts; none if there are none.
    pub fn of<T: Copy + PartialOrd>(self, values: &[T]) -> Option<T> {
        let mut sorted = values.to_vec();
        sorted.sort_by(|one, other| one.partial_cmp(other).unwrap_or(std::cmp::Ordering::Equal));
        match self {
            Pick::Min => sorted.first().copied(),
            Pick::Median => sorted.get(sorted.len().saturating_sub(1) / 2).copied(),
            Pick::Max => sorted.last().copied(),
        }
    }
}

/// Bytes of something, read from the debug information or the symbol table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Size {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Name of the structure.
    pub structure: Option<String>,
    /// Name of the object, if it is no structure.
    pub symbol: Option<String>,
    /// Name of the enumeration's constant that says the size, if it is neither.
    pub constant: Option<String>,
    /// The enumeration; with `constant` only.
    pub enumeration: Option<String>,
    /// The memory that the whole image occupies, if it is none of these.
    pub memory: Option<Memory>,
    /// Program whose image is subtracted; with `memory` only.
    pub without: Option<String>,
    /// Functions and objects of the program that are subtracted; with `memory` only.
    #[serde(default)]
    pub less: Vec<String>,
}

/// A memory of the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Memory {
    /// Flash.
    Rom,
    /// RAM.
    Ram,
    /// RAM without stacks.
    Data,
}

/// Flash or RAM that parts of the system occupy in a program, including what they need from the compiler's
/// libraries.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rom {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Files and folders whose sources count: what their paths begin with.
    pub rooms: Vec<String>,
    /// The memory.
    #[serde(default)]
    pub memory: RomOf,
}

/// The memory that is occupied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RomOf {
    /// Flash.
    #[default]
    Rom,
    /// RAM.
    Ram,
}

/// Wake-ups of the processor from one symbol to another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wakeups {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Symbol at which counting begins.
    pub from: String,
    /// Symbol at which it ends; the wake-up that leads there is not counted.
    pub to: String,
    /// Simulated seconds that must lie between the two, to one tick of 1/32768 s.
    pub seconds: f64,
    /// A line that is typed afterwards and must be echoed.
    pub answer: String,
}

/// Active periods of a program that sleeps periodically.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Symbol after which they count.
    pub from: String,
    /// What of them is the value.
    #[serde(default)]
    pub of: Of,
    /// The sleep mode in which they begin and end.
    pub sleep: String,
    /// What the hardware takes from the cause of the wake-up to the processor's first cycle, which
    /// the simulator counts as sleep, microseconds.
    pub wake_us: f64,
    /// Beginnings of the files, from the tree's root, that manage timers.
    #[serde(default)]
    pub timer: Vec<String>,
    /// Functions that wait for the other clock domain.
    #[serde(default)]
    pub waits: Vec<String>,
    /// Periods that are counted.
    #[serde(default = "default_passes")]
    pub passes: usize,
    /// Simulated seconds within which all of them must have happened.
    #[serde(default = "default_seconds")]
    pub seconds: f64,
}

/// What of active periods is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// Their mean length.
    #[default]
    Length,
    /// The share of timer management.
    Timer,
    /// The mean number of times that the processor waits for the other clock domain.
    Waits,
}

/// Processor time of an operation during which the processor may sleep, and the time that it takes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Busy {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// What other motes run, all in reach of each other.
    #[serde(default)]
    pub with: Vec<String>,
    /// Folder of a program whose value is subtracted.
    pub without: Option<String>,
    /// Symbol at which the operation begins.
    pub from: String,
    /// Symbol at which it ends.
    pub to: String,
    /// What of it is the value.
    #[serde(default)]
    pub of: BusyOf,
    /// Which of the passes counts; the mean of all, if it does not say so.
    pub pick: Option<Pick>,
    /// Passes that are counted.
    #[serde(default = "default_passes")]
    pub passes: usize,
    /// Passes before them, in which the program settles.
    #[serde(default = "default_skip")]
    pub skip: usize,
    /// Simulated seconds within which all of them must have happened.
    #[serde(default = "default_seconds")]
    pub seconds: f64,
}

/// What of an operation is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BusyOf {
    /// Processor time.
    #[default]
    Processor,
    /// The same in cycles.
    Cycles,
    /// The time that it takes.
    Time,
}

/// Cycles that parts of the system take in each period of a periodic program, and their share of the mote's energy
/// for several lengths of the period.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overhead {
    /// The figure of the cycles in a period.
    pub id: Option<String>,
    /// A text, if they are printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// The figure of the largest share of the energy.
    pub energy: String,
    /// Folders of the program's variants, beside the file, in the order of their periods.
    pub programs: Vec<String>,
    /// The variant whose cycles are the figure.
    pub program: String,
    /// Constant of the program, of 16 bits, that has the period in seconds.
    pub period: String,
    /// Periods after which everything repeats; the last of them has work that others have not.
    pub repeats: u32,
    /// Beginnings of the files, from the tree's root, whose code counts.
    pub files: Vec<String>,
    /// Beginnings of files whose code counts between two sleeps in which code of `files` executes.
    #[serde(default)]
    pub serving: Vec<String>,
    /// Functions that do not count.
    #[serde(default)]
    pub except: Vec<String>,
    /// Beginnings of files whose code is printed beside it.
    #[serde(default)]
    pub apart: Vec<String>,
    /// The cell that feeds the mote.
    pub cell: String,
    /// Parts that are connected to the board.
    #[serde(default)]
    pub device: Vec<Fitting>,
    /// Name of the picture; the board's follows.
    pub picture: String,
    /// Its title.
    pub title: String,
    /// The name of its axis of periods.
    pub axis: String,
}

impl Overhead {
    /// Beginnings of all files whose code counts.
    pub fn counted(&self) -> impl Iterator<Item = &String> {
        self.files.iter().chain(&self.serving)
    }
}

/// The mean current of a mote from a symbol on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Current {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// What other motes run, all in reach of each other.
    #[serde(default)]
    pub with: Vec<String>,
    /// Folder of a program whose current does not count, from its own symbol `from` on.
    pub without: Option<String>,
    /// Symbol at which the account begins.
    pub from: String,
    /// Its length in simulated seconds.
    pub seconds: f64,
    /// Symbol that is reached once in each of several actions: then it is the charge of one of them.
    pub each: Option<String>,
    /// Parts that do not count.
    #[serde(default)]
    pub less: Vec<String>,
}

/// What a program does between two long sleeps.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bursts {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// What other motes run, all in reach of each other.
    #[serde(default)]
    pub with: Vec<String>,
    /// Symbol that is reached in each burst that counts.
    pub each: String,
    /// A burst begins with the wake-up from a sleep of so many simulated seconds.
    pub pause: f64,
    /// It ends with the first sleep in this mode after the symbol.
    pub sleep: String,
    /// What the hardware takes from the cause of the wake-up to the processor's first cycle, which
    /// the simulator counts as sleep, microseconds.
    #[serde(default)]
    pub wake_us: f64,
    /// Simulated seconds of the run.
    pub seconds: f64,
}

/// Frames that come through, beside as many as the air has room for.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throughput {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// What other motes run, all in reach of each other.
    #[serde(default)]
    pub with: Vec<String>,
    /// Symbol that is reached once for each frame.
    pub each: String,
    /// Bytes of payload of each.
    pub bytes: u32,
    /// Microseconds that each takes of the air at least, with all that belongs to it.
    pub air_us: f64,
    /// Simulated seconds, after one in which the motes start.
    pub seconds: f64,
}

/// What a part of a program says, and another one should take.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lost {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// What other motes run, all in reach of each other.
    #[serde(default)]
    pub with: Vec<String>,
    /// Simulated seconds of the run, at whose end nothing is under way.
    pub seconds: f64,
    /// What is passed on.
    pub of: Vec<Passed>,
}

/// Something that is passed on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passed {
    /// What it is, in the plural.
    pub what: String,
    /// Symbols each of which is reached once when something is said.
    pub said: Vec<String>,
    /// Symbols each of which is reached once when something is taken.
    pub taken: Vec<String>,
    /// So many must be said, or the run has shown nothing.
    pub least: u32,
    /// And so many must wait at some time.
    pub waiting: u32,
}

/// How evenly a periodic task changes the board's first LED.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Jitter {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// What other motes run, all in reach of each other.
    #[serde(default)]
    pub with: Vec<String>,
    /// Symbol that must be reached meanwhile, and whose number of times is printed.
    pub each: Option<String>,
    /// The intervals that the changes should have, in microseconds.
    pub period_us: f64,
    /// Intervals that are counted.
    pub intervals: usize,
    /// Simulated seconds before them.
    #[serde(default = "default_latency_seconds")]
    pub begin: f64,
}

/// Latency that is added to interrupts: the worst of some runs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Programs of the group.
    pub programs: Vec<String>,
    /// Simulated seconds of each of their runs.
    #[serde(default = "default_latency_seconds")]
    pub seconds: f64,
    /// Groups of `lichen test` whose programs count, too.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Programs of these groups, as `GROUP/NAME`, whose worst is printed beside the figure.
    #[serde(default)]
    pub apart: Vec<String>,
    /// What those programs are, in the plural.
    #[serde(default = "default_latency_apart")]
    pub apart_are: String,
}

fn default_latency_apart() -> String {
    "programs listed apart".to_string()
}

fn default_latency_seconds() -> f64 {
    1.0
}

/// Instructions that the simulator executes in a second of real time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Programs whose geometric mean counts.
    pub programs: Vec<String>,
    /// Programs that are measured in addition.
    #[serde(default)]
    pub apart: Vec<String>,
    /// Simulated seconds of each run.
    pub seconds: f64,
}

/// Processor time to save a mote's state in memory and to return to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Simulated seconds between a snapshot and the return to it.
    pub seconds: f64,
}

/// Processor time for each sleep of a mote, with the wake-up that ends it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Naps {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Simulated seconds of each run.
    pub seconds: f64,
}

/// Simulated seconds of all motes in a second of real time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// How they are placed; without it, they hear nobody.
    pub topology: Option<String>,
    /// Motes that run it.
    pub motes: u32,
    /// Other numbers of motes, reported in words.
    #[serde(default)]
    pub beside_motes: Vec<u32>,
    /// Threads of the host: of one, the processor time counts, of several the real time.
    pub threads: usize,
    /// Simulated seconds of each run.
    pub seconds: f64,
    /// The figure of the memory that one more mote takes.
    pub bytes: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picks_from_sorted_values() {
        let values = [5, 1, 9, 3];
        assert_eq!(Pick::Min.of(&values), Some(1));
        assert_eq!(Pick::Median.of(&values), Some(3));
        assert_eq!(Pick::Max.of(&values), Some(9));
        assert_eq!(Pick::Median.of::<u64>(&[]), None);
    }
}
