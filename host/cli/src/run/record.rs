// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first and the last line of `--json`, which `--summary` writes alone: what ran, and what came of it.

use super::energy::Accounts;
use super::show::Show;
use super::{End, Noticed, Session, traces};
use crate::mote::MoteOptions;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_observe::{Task, ThreadStatus, Waiting};
use lichen_terminal::failure::Failure;
use lichen_trace::air::Tally;
use lichen_trace::run::{
    Drawn, Ended, FORMAT, Failed, Header, MoteTotals, Named, Outcome, Program, StackTotals,
    TaskTotals, ThreadTotals, Totals, Warned,
};
use lichen_world::{Halt, Mote, MoteId, Summary, TaskRuns};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// What the motes of `world` run.
pub fn header(options: &MoteOptions, arguments: Vec<String>, session: &Session<'_>) -> Header {
    let Session { world, names, .. } = session;
    let mut programs: Vec<Program> = Vec::new();
    let mut contents: HashMap<*const Image, String> = HashMap::new();
    let mut motes = Vec::new();
    for (id, mote) in world.motes() {
        let image =
            contents.entry(Arc::as_ptr(mote.image())).or_insert_with(|| mote.image().contents());
        let board = mote.board().name.clone();
        let one = Program { program: traces::program(mote), board, image: image.clone() };
        let known = programs.iter().position(|program| *program == one);
        let program = known.unwrap_or(programs.len());
        if known.is_none() {
            programs.push(one);
        }
        motes.push(Named { name: names.given().get(id.0 as usize).cloned(), program });
    }
    Header {
        format: FORMAT,
        lichen: env!("CARGO_PKG_VERSION").to_string(),
        arguments,
        scenario: names.are_given().then(|| options.target.clone()),
        settings: options.settings.iter().map(ToString::to_string).collect(),
        seed: world.seed(),
        noise: world.is_noisy(),
        programs,
        motes,
    }
}

/// What is known of a run that is over.
pub(super) struct Known<'a> {
    /// What ended it; nothing if that was an error.
    pub end: Option<End>,
    /// Why it fails.
    pub failure: Option<&'a Failure>,
    /// What was noticed at its end.
    pub noticed: &'a [Noticed],
    /// What the motes have drawn.
    pub accounts: &'a Accounts,
}

impl Session<'_> {
    /// What came of the run.
    pub(super) fn outcome(&self, show: &Show<'_>, over: &Known<'_>) -> Outcome {
        let world = &self.world;
        let tally = show.air().map(|air| air.tally());
        let (listed, more_warnings) = show.warned().records();
        let noticed = over.noticed.iter().map(|Noticed { mote, what }| Warned {
            mote: mote.map(|mote| mote.0),
            first: None,
            what: what.clone(),
            times: 1,
        });
        let motes: Vec<MoteTotals> = world
            .motes()
            .map(|(id, mote)| self.mote_totals((id, mote), tally, over.accounts))
            .collect();
        let times = world.motes().map(|(_, mote)| mote.chip().now());
        let sum = Totals::sum(motes.iter().map(|mote| &mote.totals).zip(times));
        Outcome {
            ended: ended(over.end),
            exit: over.failure.map_or(0, |failure| failure.code as u8),
            failure: over.failure.map(failed),
            duration: world.now() - self.begin.time.min(world.now()),
            warned: listed.into_iter().chain(noticed).collect(),
            more_warnings,
            all: Totals {
                air: tally.map(|tally| (&tally.whole()).into()),
                energy: drawn_by_all(motes.iter().filter_map(|it| it.totals.energy.as_ref())),
                ..sum
            },
            motes,
        }
    }

    fn mote_totals(
        &self,
        (id, mote): (MoteId, &Mote),
        tally: Option<&Tally>,
        accounts: &Accounts,
    ) -> MoteTotals {
        let summary = mote.summary();
        let air = tally.and_then(|tally| tally.motes().get(id.0 as usize));
        let address = tally.and_then(|tally| tally.address(id.0));
        let never_started = mote.never_started().map(str::to_string).collect();
        MoteTotals {
            mote: id.0,
            name: self.names.given().get(id.0 as usize).cloned(),
            powered: mote.is_powered(),
            locked_up: summary.locked_up,
            network: address.map(|(network, _)| format!("{network:04x}")),
            address: address.map(|(_, address)| format!("{address:04x}")),
            tasks: mote.tasks().map(|task| task_totals(task, &summary)).collect(),
            threads: mote.threads().into_iter().map(thread_totals).collect(),
            stacks: stacks(mote),
            never_started,
            all_wait: all_wait(mote),
            wear: mote.wear().into_iter().collect(),
            notes: mote.notes().to_vec(),
            totals: Totals {
                lost: mote.losses(),
                air: air.map(Into::into),
                energy: accounts.drawn(id.0 as usize),
                ..totals(summary)
            },
        }
    }
}

fn ended(end: Option<End>) -> Ended {
    match end {
        None => Ended::Error,
        Some(End::Halt(Halt::Reached)) => Ended::Time,
        Some(End::Halt(Halt::Text)) => Ended::Text,
        Some(End::Halt(Halt::Warning)) => Ended::Warning,
        Some(End::Halt(Halt::Dead)) => Ended::LockedUp,
        Some(End::Halt(Halt::Fault | Halt::Breakpoint(_)) | End::Interrupted) => Ended::Interrupted,
    }
}

fn failed(failure: &Failure) -> Failed {
    let place = failure.place.as_ref().map(ToString::to_string);
    Failed { message: failure.message.clone(), place }
}

fn totals(summary: Summary) -> Totals {
    let ns = |time: &Time| u128::from(time.ns());
    Totals {
        cycles: summary.cycles,
        instructions: summary.instructions,
        off_ns: ns(&summary.off),
        asleep_ns: summary.asleep.iter().map(|(mode, time)| (mode.clone(), ns(time))).collect(),
        share_asleep: summary.share_asleep(),
        wakes: summary.wakes,
        changes: summary.toggles,
        resets: summary.resets,
        characters: summary.characters_out,
        warnings: summary.warnings,
        faults: summary.faults,
        panics: summary.panics,
        lost: BTreeMap::new(),
        air: None,
        energy: None,
    }
}

fn task_totals(task: &Task, summary: &Summary) -> TaskTotals {
    let seen: TaskRuns = summary.tasks.get(&task.name).cloned().unwrap_or_default();
    TaskTotals {
        name: task.name.clone(),
        runs: seen.runs,
        most_cycles: seen.most_cycles,
        wcet_cycles: task.wcet_cycles,
        longest_response: seen.longest_response,
        deadline_us: task.deadline_us,
        missed: seen.missed,
    }
}

fn thread_totals(thread: ThreadStatus) -> ThreadTotals {
    let ThreadStatus { name, cpu_cycles, wait, .. } = thread;
    ThreadTotals { name, cpu_cycles, waits: wait.map(|wait| wait.to_string()) }
}

fn stacks(mote: &Mote) -> Vec<StackTotals> {
    let stacks = mote.stacks().into_iter();
    stacks.map(|it| StackTotals { name: it.name, used: it.used, bytes: it.bytes }).collect()
}

fn all_wait(mote: &Mote) -> Vec<String> {
    let threads = mote.all_wait().map(|(_, threads)| threads).unwrap_or_default();
    threads.iter().map(Waiting::to_string).collect()
}

/// What all have drawn, and the mean current of the average mote; nothing without an account.
fn drawn_by_all<'a>(all: impl Iterator<Item = &'a Drawn>) -> Option<Drawn> {
    let all: Vec<&Drawn> = all.collect();
    let count = all.len() as u64;
    (count > 0).then(|| Drawn {
        charge_pc: all.iter().map(|drawn| drawn.charge_pc).sum(),
        energy_nj: all.iter().map(|drawn| drawn.energy_nj).sum(),
        mean_na: all.iter().map(|drawn| drawn.mean_na).sum::<u64>() / count,
        life_h: all.iter().filter_map(|drawn| drawn.life_h).min(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_drawn_the_sum_the_average_and_live_as_long_as_the_first_to_end() {
        let drawn =
            |charge_pc, energy_nj, mean_na, life_h| Drawn { charge_pc, energy_nj, mean_na, life_h };
        let motes =
            [drawn(1, 10, 100, Some(70)), drawn(2, 20, 400, Some(30)), drawn(3, 30, 700, None)];
        let [first, second, _] = &motes;
        assert_eq!(drawn_by_all([first, second].into_iter()), Some(drawn(3, 30, 250, Some(30))));
        assert_eq!(drawn_by_all(motes.iter()), Some(drawn(6, 60, 400, Some(30))));
        assert_eq!(drawn_by_all([].into_iter()), None);
    }
}
