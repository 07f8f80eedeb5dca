// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first and the last line of a file of events: what ran, and what came of it. Neither has anything that differs
//! between two runs of the same motes, such as the time that the host took.

use crate::air::Counted;
use lichen_chip::Time;
use serde::Serialize;
use std::collections::BTreeMap;

/// Version of the format of all lines. It changes when a field, or what one means, is no longer as it was.
pub const FORMAT: u32 = 1;

/// What ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename = "header")]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// Version of lichen.
    pub lichen: String,
    /// The arguments of the call that determine the run, or what is told of it.
    pub arguments: Vec<String>,
    /// The file of the scenario, as given, if it was one.
    pub scenario: Option<String>,
    /// What the call has set in it.
    #[serde(rename = "set")]
    pub settings: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// Whether motes differ from one power-up to the next.
    pub noise: bool,
    /// Each program on each board.
    pub programs: Vec<Program>,
    /// All motes, in the order of their numbers.
    pub motes: Vec<Named>,
}

/// A program on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// The name of its image, without folder and ending.
    pub program: String,
    /// The board.
    pub board: String,
    /// SHA-256 of what the image writes.
    pub image: String,
}

/// A mote, and what it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Its name in the scenario, if it has one.
    pub name: Option<String>,
    /// Place in the list of programs.
    pub program: usize,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "summary")]
pub struct Outcome {
    /// What ended the run.
    pub ended: Ended,
    /// The exit code.
    pub exit: u8,
    /// Why that is not 0.
    pub failure: Option<Failed>,
    /// Simulated time of this run, without what came before a snapshot.
    #[serde(rename = "duration_ns", serialize_with = "nanoseconds")]
    pub duration: Time,
    /// What was warned of: each text once.
    pub warned: Vec<Warned>,
    /// How often something else was warned of.
    pub more_warnings: u64,
    /// All motes together.
    pub all: Totals,
    /// Each mote.
    pub motes: Vec<MoteTotals>,
}

/// What ended a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Its time was over.
    Time,
    /// A mote has printed the text.
    Text,
    /// The first warning.
    Warning,
    /// Every processor was locked up.
    LockedUp,
    /// A person has ended it.
    Interrupted,
    /// The debugger has ended it.
    Debugger,
    /// It could not go on, since a file could not be written.
    Error,
}

/// Why a run failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failed {
    /// In words.
    pub message: String,
    /// The file and the line, if it has a place.
    pub place: Option<String>,
}

/// What was warned of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warned {
    /// The first mote that warned, if it was one.
    pub mote: Option<u32>,
    /// When, unless it was at the end.
    #[serde(rename = "first_ns", serialize_with = "maybe_nanoseconds")]
    pub first: Option<Time>,
    /// In words.
    pub what: String,
    /// How often.
    pub times: u64,
}

/// What a mote has done, or all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// Processor clock edges.
    pub cycles: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Time without power.
    pub off_ns: u128,
    /// Time asleep, by mode.
    pub asleep_ns: BTreeMap<String, u128>,
    /// Share of the time with power that it was asleep.
    pub share_asleep: f64,
    /// Wake-ups, by cause.
    pub wakes: BTreeMap<String, u64>,
    /// Changes of level, by pin.
    pub changes: BTreeMap<String, u64>,
    /// Resets after the first power-up, by cause.
    pub resets: BTreeMap<String, u64>,
    /// Characters sent on all ports.
    pub characters: u64,
    /// Warnings.
    pub warnings: u64,
    /// Faults and lockups.
    pub faults: u64,
    /// Panics.
    pub panics: u64,
    /// What the firmware has counted as lost, by what counts it.
    pub lost: BTreeMap<String, u64>,
    /// Frames; none if the air was not watched.
    pub air: Option<Counted>,
    /// What was drawn, if there is an account.
    pub energy: Option<Drawn>,
}

/// What was drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Drawn {
    /// Charge, in picocoulombs.
    pub charge_pc: u128,
    /// Energy, in nanojoules.
    pub energy_nj: u128,
    /// The mean current of a mote, in nanoamperes.
    pub mean_na: u64,
    /// Hours that the cells last, the shortest of several motes; none without cells, or for ever.
    pub life_h: Option<u64>,
}

/// One mote.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoteTotals {
    /// Its number.
    pub mote: u32,
    /// Its name in the scenario, if it has one.
    pub name: Option<String>,
    /// Counts.
    #[serde(flatten)]
    pub totals: Totals,
    /// Whether it has power at the end.
    pub powered: bool,
    /// Whether its processor is locked up.
    pub locked_up: bool,
    /// Network and short address from which it has sent most, in hexadecimal digits.
    pub network: Option<String>,
    /// The address there.
    pub address: Option<String>,
    /// Real-time tasks.
    pub tasks: Vec<TaskTotals>,
    /// Threads that still exist.
    pub threads: Vec<ThreadTotals>,
    /// Stacks.
    pub stacks: Vec<StackTotals>,
    /// Threads that nothing has started.
    pub never_started: Vec<String>,
    /// What all threads wait for, since nothing can wake them.
    pub all_wait: Vec<String>,
    /// Parts that are worn, and how much, in words.
    pub wear: BTreeMap<String, String>,
    /// What cannot be shown, and why.
    pub notes: Vec<String>,
}

/// A real-time task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskTotals {
    /// Its name.
    pub name: String,
    /// How often it has returned.
    pub runs: u64,
    /// Most cycles of a run, and the most that it declares.
    pub most_cycles: u64,
    /// The most that it declares.
    pub wcet_cycles: u32,
    /// The longest time from a request to its end.
    #[serde(rename = "longest_response_ns", serialize_with = "nanoseconds")]
    pub longest_response: Time,
    /// The longest that it declares.
    pub deadline_us: u32,
    /// How often it was too late.
    pub missed: u64,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ThreadTotals {
    /// Its name.
    pub name: String,
    /// Cycles that it has used, if the image counts them.
    pub cpu_cycles: Option<u64>,
    /// What it waits for, if it waits.
    pub waits: Option<String>,
}

/// A stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StackTotals {
    /// The thread, or `kernel`.
    pub name: String,
    /// Most bytes in use.
    pub used: u32,
    /// Its bytes.
    pub bytes: u32,
}

fn nanoseconds<S: serde::Serializer>(time: &Time, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.ns())
}

fn maybe_nanoseconds<S: serde::Serializer>(
    time: &Option<Time>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    time.map(Time::ns).serialize(serializer)
}

impl Totals {
    /// All motes together: sums, and the shares of the average mote. Frames and charges are left to whoever knows them.
    pub fn sum<'a>(motes: impl Iterator<Item = (&'a Totals, Time)>) -> Totals {
        let mut all = Totals::default();
        let mut whole = 0;
        for (mote, time) in motes {
            whole += u128::from(time.ns());
            all.add(mote);
        }
        let powered = whole.saturating_sub(all.off_ns);
        let asleep: u128 = all.asleep_ns.values().sum();
        all.share_asleep = if powered == 0 { 0.0 } else { asleep as f64 / powered as f64 };
        all
    }

    fn add(&mut self, other: &Totals) {
        self.cycles += other.cycles;
        self.instructions += other.instructions;
        self.off_ns += other.off_ns;
        self.characters += other.characters;
        self.warnings += other.warnings;
        self.faults += other.faults;
        self.panics += other.panics;
        add_by_name(&mut self.asleep_ns, &other.asleep_ns);
        add_by_name(&mut self.wakes, &other.wakes);
        add_by_name(&mut self.changes, &other.changes);
        add_by_name(&mut self.resets, &other.resets);
        add_by_name(&mut self.lost, &other.lost);
    }
}

fn add_by_name<N>(sums: &mut BTreeMap<String, N>, others: &BTreeMap<String, N>)
where
    N: Copy + Default + std::ops::AddAssign,
{
    for (name, count) in others {
        *sums.entry(name.clone()).or_default() += *count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motes_add_up_by_name() {
        let of = |asleep: u128, off: u128, wakes: u64| Totals {
            asleep_ns: [("standby".to_string(), asleep)].into(),
            off_ns: off,
            wakes: [("RTC".to_string(), wakes)].into(),
            ..Totals::default()
        };
        let (one, two) = (of(600, 0, 3), of(300, 400, 4));
        let length = Time::from_ns(1_000);
        let all = Totals::sum([(&one, length), (&two, length)].into_iter());
        assert_eq!((all.asleep_ns["standby"], all.off_ns, all.wakes["RTC"]), (900, 400, 7));
        assert_eq!(all.share_asleep, 900.0 / 1_600.0);
        assert_eq!(Totals::sum(std::iter::empty()).share_asleep, 0.0, "nothing is no share");
    }
}
