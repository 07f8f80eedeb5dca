// SPDX-License-Identifier: MIT OR Apache-2.0
//! The test `mutants/drivers`: what is noticed of changes to drivers and to the network.
//!
//! Few cells execute this code, so the tests that can notice a mutant are above all programs of `test/mote`. There are
//! many mutants: a sample of each folder's is tried, the same in each run, or all if those of one folder are requested.

use super::mutants::{All, FEW, Key, Tried, nothing_of, prepare};
use super::search;
use super::witness::Witness;
use super::{Context, Listener, Machine, Report, Subject, Verdict};
use lichen_force::{Area, Reach, Stage};
use std::collections::{BTreeMap, BTreeSet};

/// How many mutants of each folder are tried if more than one folder is requested.
const SAMPLE: usize = 40;

/// The part of their names that requested files or functions have, if `part` of a request means drivers.
pub(super) fn part(part: &str) -> Option<&str> {
    part.strip_prefix("drivers")
        .map(|rest| rest.trim_start_matches('/'))
        .or_else(|| Area::Drivers.has(part).then_some(part))
}

pub(super) fn run(
    context: &Context<'_>,
    part: &str,
    machine: &Machine,
    subjects: &[&Subject<'_>],
    listener: &mut dyn Listener,
) -> Result<Verdict, Box<Report>> {
    let (mut all, trials) = prepare(context, (Area::Drivers, part), subjects, listener)?;
    let mut witnesses = search::witnesses(context, machine, (Area::Drivers, part), listener);
    add(context, &witnesses, &mut all);
    if all.is_empty() {
        return Ok(Verdict::Failed(nothing_of(part)));
    }
    let counts = sample(&mut all);
    for witness in &mut witnesses {
        witness.mutants.retain(|key, _| all.contains_key(key));
    }
    for stage in [Stage::Undisturbed, Stage::Few(FEW)] {
        for trial in &trials {
            trial.run(context, stage, &trials, &mut all, listener)?;
        }
    }
    search::among(context, witnesses, &mut all, listener)?;
    for survivor in all.values().filter(|one| one.survived().is_some()) {
        listener.figure(context.group, &survivor.words.describe());
    }
    for (folder, count) in &counts {
        listener.figure(context.group, &share(folder, *count, &all));
    }
    Ok(Verdict::Passed)
}

/// Adds the mutants in the images of `witnesses`.
fn add(context: &Context<'_>, witnesses: &[Witness], all: &mut All) {
    let (root, mut sources) = (context.tree().root(), BTreeMap::new());
    for witness in witnesses {
        for (key, mutants) in &witness.mutants {
            let Some(mutant) = mutants.first() else { continue };
            let one =
                all.entry(key.clone()).or_insert_with(|| Tried::new(mutant, root, &mut sources));
            if witness.reaches(key) {
                one.is_reached(Reach::Cells);
            }
        }
    }
}

/// Leaves a sample of each folder in `all`, unless there is but one. Returns how many each folder has.
fn sample(all: &mut All) -> BTreeMap<String, usize> {
    let mut folders: BTreeMap<String, Vec<Key>> = BTreeMap::new();
    for (key, one) in all.iter() {
        folders.entry(folder(one)).or_default().push(key.clone());
    }
    let counts: BTreeMap<String, usize> =
        folders.iter().map(|(folder, keys)| (folder.clone(), keys.len())).collect();
    if folders.len() > 1 {
        let chosen: BTreeSet<Key> = folders.into_values().flat_map(spread).collect();
        all.retain(|key, _| chosen.contains(key));
    }
    counts
}

/// [`SAMPLE`] of `keys`, or all if there are fewer, evenly spread.
fn spread(keys: Vec<Key>) -> impl Iterator<Item = Key> {
    let count = keys.len().min(SAMPLE);
    (0..count).map(move |index| keys[index * keys.len() / count].clone())
}

/// The folder that a mutant is counted in, such as `os/driver/i2c`.
fn folder(one: &Tried) -> String {
    one.mutant.origin.file.split('/').take(3).collect::<Vec<_>>().join("/")
}

/// How many of a folder's mutants were noticed, of those that some test executes.
fn share(name: &str, count: usize, all: &All) -> String {
    let tried: Vec<&Tried> = all.values().filter(|one| folder(one) == name).collect();
    let executed = tried.iter().filter(|one| one.reach != Reach::Nothing).count();
    let survived = tried.iter().filter(|one| one.survived().is_some()).count();
    let unexecuted = tried.len() - executed;
    let noticed = tried.len() - survived;
    let percent = 100.0 * noticed as f64 / executed.max(1) as f64;
    format!(
        "{name}: {count} mutants, {} tried; of {executed} that are executed {noticed} are noticed ({percent:.1} %); \
         {unexecuted} are not executed",
        tried.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_are_requested_as_such_or_by_file() {
        assert_eq!(part("drivers"), Some(""));
        assert_eq!(part("drivers/i2c_transfer"), Some("i2c_transfer"));
        assert_eq!(part("os/net/link"), Some("os/net/link"));
        assert_eq!((part("os/kernel/time"), part("")), (None, None));
    }
}
