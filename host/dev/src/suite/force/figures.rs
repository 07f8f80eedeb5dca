// SPDX-License-Identifier: MIT OR Apache-2.0
//! The fates of mutants, in figures.

use super::mutants::{All, Tried};
use lichen_force::{Fate, Kind, Met, Origin, Reach};
use std::collections::BTreeMap;

/// How many mutants there are, what noticed them, and where those are that no cell can notice.
pub(super) fn figures(all: &All, dependent: usize) -> Vec<String> {
    let mut lines = vec![format!(
        "{} mutants of the kernel; {dependent} pairs of stores cannot be swapped, counted in each image",
        all.len()
    )];
    for (reach, what) in [
        (Reach::Cells, "in code that cells execute"),
        (Reach::Boot, "in code that start-up alone executes"),
        (Reach::Nothing, "in code that no run executes"),
    ] {
        lines.push(line(what, all.values().filter(|one| one.reach == reach)));
    }
    for kind in Kind::ALL {
        let of_kind = |one: &&Tried| one.mutant.kind == kind && one.reach == Reach::Cells;
        lines.push(format!("  {}", share(&kind.to_string(), all.values().filter(of_kind))));
    }
    let mut apart: BTreeMap<String, usize> = BTreeMap::new();
    for one in all.values().filter(|one| one.reach == Reach::Nothing) {
        let Origin { file, function, .. } = &one.mutant.origin;
        *apart.entry(format!("{file} {function}")).or_default() += 1;
    }
    lines.extend(apart.iter().map(|(place, count)| format!("  not executed: {place}, {count}")));
    lines
}

/// How many of some mutants were noticed.
fn share<'a>(what: &str, mutants: impl Iterator<Item = &'a Tried>) -> String {
    let all: Vec<&Tried> = mutants.collect();
    let by_cells = all.iter().filter(|one| one.is_noticed_by_cells()).count();
    let survived = all.iter().filter(|one| one.survived().is_some()).count();
    let noticed = all.len() - survived;
    let percent = 100.0 * noticed as f64 / all.len().max(1) as f64;
    format!(
        "{} {what}: {noticed} noticed ({percent:.1} %), {by_cells} by cells, {} by other tests; {survived} survive",
        all.len(),
        noticed - by_cells,
    )
}

/// One line: how many of some mutants were noticed, and how many of them by cells of each kind.
fn line<'a>(what: &str, mutants: impl Iterator<Item = &'a Tried> + Clone) -> String {
    let count = |is: &dyn Fn(&Fate) -> bool| mutants.clone().filter(|one| is(&one.fate)).count();
    format!(
        "{}; by cells: {} at start, {} undisturbed, {} with one interrupt, {} with two",
        share(what, mutants.clone()),
        count(&|fate| matches!(fate, Fate::KilledAtStart)),
        count(&|fate| matches!(fate, Fate::KilledUndisturbed)),
        count(&|fate| matches!(fate, Fate::KilledBySingle(_))),
        count(&|fate| matches!(fate, Fate::KilledByDouble(_))),
    )
}

/// The interleavings that survivors in code that cells execute have met.
pub(super) fn thoroughness(all: &All) -> Vec<String> {
    let met = |one: &Tried| one.survived().filter(|_| one.reach == Reach::Cells);
    let met: Vec<Met> = all.values().filter_map(met).collect();
    let every = met.iter().filter(|met| met.all).count();
    let runs = |met: &Met| met.runs;
    vec![format!(
        "those in code that cells execute have met {} interleavings each at least, {} in all; {every} of {} \
         have met every one with one interrupt",
        met.iter().map(runs).min().unwrap_or_default(),
        met.iter().map(runs).sum::<u64>(),
        met.len(),
    )]
}
