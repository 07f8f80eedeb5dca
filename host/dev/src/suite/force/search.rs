// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests that notice a mutant that few interrupts in few cells do not: those that `survivors.toml`
//! names are run on it; if none is named, one is searched for.

use super::mutants::{All, Key, Trial, Tried};
use super::survivors::Survivors;
use super::witness::Witness;
use super::{Context, Listener, Machine, Report, saying};
use lichen_force::{Fate, Mutant};
use lichen_parallel::in_parallel;
use std::collections::BTreeMap;

/// Lots of each kind of histories that are used.
const LOTS: u64 = 2;
/// Programs that execute more are not used.
const LONGEST: u64 = 200_000_000;

/// Runs the tests that are said to notice some of `all` on those.
pub(super) fn by_name(
    context: &Context<'_>,
    explained: &Survivors,
    trials: &[Trial<'_>],
    all: &mut All,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let mut named: BTreeMap<String, Vec<Key>> = BTreeMap::new();
    for (key, one) in all.iter() {
        for name in explained.witnesses(&one.words) {
            named.entry(name.clone()).or_default().push(key.clone());
        }
    }
    in_cells(context, &named, trials, all, listener)?;
    for (name, mut keys) in named.into_iter().filter(|(name, _)| !name.starts_with("force/")) {
        keys.retain(|key| all.get(key).is_some_and(|one| one.survived().is_some()));
        if !keys.is_empty() {
            let witness = Witness::of(context, &name, listener)?;
            run(context, &witness, &keys, all, listener)?;
        }
    }
    Ok(())
}

/// Runs the cells that are named.
fn in_cells(
    context: &Context<'_>,
    named: &BTreeMap<String, Vec<Key>>,
    trials: &[Trial<'_>],
    all: &mut All,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    for trial in trials {
        let prefix = format!("force/{}/", trial.name);
        let cells =
            named.iter().filter_map(|(name, keys)| Some((name.strip_prefix(&prefix)?, keys)));
        let mut due: Vec<(&str, &Key, &Mutant)> = Vec::new();
        for (cell, keys) in cells {
            let of_keys = trial.mutants.iter().filter(|(key, _)| keys.contains(key));
            due.extend(of_keys.map(|(key, mutant)| (cell, key, mutant)));
        }
        let (name, count) = (trial.name, due.len());
        let mut told = |done| {
            let what = format!("{name}: {done} of {count} mutants, cells that notice them");
            listener.working(context.group, &what);
        };
        let work = |rig: &mut _, index: usize| {
            let (cell, _, mutant) = due[index];
            trial.campaign.notices(rig, mutant, cell)
        };
        let noticed = in_parallel(count, || trial.campaign.rig(), work, &mut told);
        for ((cell, key, _), noticed) in due.iter().zip(noticed.map_err(saying)?) {
            let noticed = noticed.map_err(saying)?;
            let noticed = noticed.ok_or_else(|| saying(format!("{prefix}{cell} is not a cell")))?;
            if let Some(one) = all.get_mut(*key).filter(|_| noticed) {
                one.fate = Fate::KilledBySingle(cell.to_string());
                one.words.noticed_by = Some(format!("{prefix}{cell}"));
            }
        }
    }
    Ok(())
}

/// Looks for a test of another group that notices each of `all` that is `wanted` and not yet
/// noticed, shortest first.
pub(super) fn among_all(
    context: &Context<'_>,
    machine: &Machine,
    wanted: &dyn Fn(&Tried) -> bool,
    all: &mut All,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let alive = |all: &All| -> Vec<Key> {
        let alive = all.iter().filter(|(_, one)| one.survived().is_some() && wanted(one));
        alive.map(|(key, _)| key.clone()).collect()
    };
    if alive(all).is_empty() {
        return Ok(());
    }
    let programs = context.tree().programs("test/mote").map_err(|error| Report::of(&error))?;
    let programs = programs.iter().map(|name| format!("mote/{}/{name}", machine.board));
    // A test that this kernel fails says nothing about another one; its own group reports it.
    let programs = programs.filter_map(|name| Witness::of(context, &name, listener).ok());
    let mut programs: Vec<Witness> = programs.filter(|it| it.instructions <= LONGEST).collect();
    programs.sort_by_key(|witness| witness.instructions);
    for witness in programs {
        run(context, &witness, &alive(all), all, listener)?;
    }
    for lot in 0..LOTS {
        for kind in lichen_history::KINDS {
            let name = format!("model/{}{}#{lot}", machine.prefix, kind.full_name());
            // A program that is not compared on this board is no witness.
            if let Ok(witness) = Witness::of(context, &name, listener) {
                run(context, &witness, &alive(all), all, listener)?;
            }
        }
    }
    Ok(())
}

/// Records which of `keys` a test notices.
fn run(
    context: &Context<'_>,
    witness: &Witness,
    keys: &[Key],
    all: &mut All,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let keys: Vec<Key> = keys.iter().filter(|key| witness.reaches(key)).cloned().collect();
    let (name, count) = (&witness.name, keys.len());
    let mut told = |done| {
        listener.working(context.group, &format!("{name}: {done} of {count} mutants"));
    };
    let noticed = witness.notices(context, &keys, &mut told)?;
    for (key, _) in keys.iter().zip(noticed).filter(|(_, noticed)| *noticed) {
        if let Some(one) = all.get_mut(key) {
            one.words.noticed_by = Some(name.clone());
        }
    }
    Ok(())
}
