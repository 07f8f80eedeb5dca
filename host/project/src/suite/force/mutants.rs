// SPDX-License-Identifier: MIT OR Apache-2.0
//! The test `mutants`: what the cells of all programs notice of changes to the kernel.
//!
//! Each program has the kernel's functions once more, and copies of its inlined functions within its own. A
//! mutant is the same in two programs if function of the image, line and what was done are. It is dead if the
//! cells of one program kill it; the programs after that one are spared it.

use super::survivors::{Survivor, Survivors};
use super::{Bench, Listener, ROOM, Report, Subject, Verdict, saying};
use crate::Place;
use lichen_force::{Campaign, Error, Fate, Kind, Mutant, Mutants, Origin, Reach, in_parallel};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What makes mutants of several programs one: what was done to the how-manieth store of a line, or of two, in
/// which function of the image.
type Key = (String, Kind, Origin, Option<Origin>, usize);

/// A mutant, and what all programs together say of it.
struct Tried {
    mutant: Mutant,
    reach: Reach,
    fate: Fate,
}

/// Changes every store of the kernel in turn, of those whose file or function has `part` in its name, and runs
/// the cells of each program until one notices.
pub(super) fn run(
    bench: &Bench<'_>,
    part: &str,
    subjects: &[Subject],
    listener: &mut dyn Listener,
) -> Result<Verdict, Box<Report>> {
    let file = bench.tree().path(ROOM).join("survivors.toml");
    let explained = Survivors::read(&file).map_err(|error| Box::new(Report::of(&error)))?;
    let explained = explained.of(part);
    let (mut tried, mut dependent) = (BTreeMap::new(), 0);
    for subject in subjects {
        let mut mutants = Mutants::of(&subject.program);
        mutants.all.retain(|mutant| is_of(part, mutant));
        dependent += mutants.dependent;
        try_on(bench, subject, mutants, &mut tried, listener)?;
    }
    for line in figures(&tried, dependent) {
        listener.figure(bench.group, &line);
    }
    let mut sources = BTreeMap::new();
    let survivors: Vec<Survivor> = tried
        .values()
        .filter(|one| one.fate == Fate::Survived)
        .map(|one| Survivor::new(&one.mutant, one.reach, bench.tree().root(), &mut sources))
        .collect();
    if tried.is_empty() {
        return Ok(Verdict::Failed(nothing_of(part)));
    }
    let open = explained.open(&survivors);
    let total = survivors.len();
    listener.figure(
        bench.group,
        &format!("{total} survive, {open} of which are not shown to be beyond notice"),
    );
    Ok(judge(&explained, &survivors, file))
}

/// Whether `mutant` is asked for.
fn is_of(part: &str, mutant: &Mutant) -> bool {
    let Origin { file, function, .. } = &mutant.origin;
    [file, function, mutant.within()].iter().any(|name| name.contains(part))
}

fn nothing_of(part: &str) -> Report {
    Report {
        message: format!("no store of the kernel is of a file or function like `{part}`"),
        remedy: Some("name a part of either, such as os/kernel/time or notify_deliver".to_string()),
        ..Report::default()
    }
}

/// Tries the mutants of one program that no other one has killed.
fn try_on(
    bench: &Bench<'_>,
    subject: &Subject,
    mutants: Mutants,
    tried: &mut BTreeMap<Key, Tried>,
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let Subject { name, program, ready, cells } = subject;
    listener.working(bench.group, &format!("{name}: what cells come by"));
    let is_open = |key: &Key| tried.get(key).is_none_or(|one| one.fate == Fate::Survived);
    let (keys, mutants): (Vec<Key>, Vec<Mutant>) =
        keyed(mutants.all).into_iter().filter(|(key, _)| is_open(key)).unzip();
    let campaign = Campaign::new(program, cells, ready, &mutants, &mut |_| {}).map_err(saying)?;
    let mut told = |done| {
        listener.working(bench.group, &format!("{name}: {done} of {} mutants", mutants.len()));
    };
    let work = |(): &mut (), index: usize| campaign.try_on(&mutants[index]);
    let fates =
        in_parallel(mutants.len(), || Ok::<(), Error>(()), work, &mut told).map_err(saying)?;
    let fates = fates.into_iter().collect::<Result<Vec<_>, _>>().map_err(saying)?;
    for ((key, mutant), fate) in keys.into_iter().zip(mutants).zip(fates) {
        let reach = campaign.reach(&mutant);
        let reach = tried.get(&key).map_or(reach, |before| before.reach.min(reach));
        tried.insert(key, Tried { mutant, reach, fate });
    }
    Ok(())
}

/// Mutants by what makes them the same in several programs.
fn keyed(mutants: Vec<Mutant>) -> Vec<(Key, Mutant)> {
    let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
    let number = |mutant: Mutant| {
        let (origin, other) = (mutant.origin.clone(), mutant.other.clone());
        let mut key = (mutant.within().to_string(), mutant.kind, origin, other, 0);
        let count = seen.entry(key.clone()).or_default();
        key.4 = *count;
        *count += 1;
        (key, mutant)
    };
    mutants.into_iter().map(number).collect()
}

/// How many mutants there are, at what they died, and where those are that no cell can notice.
fn figures(tried: &BTreeMap<Key, Tried>, dependent: usize) -> Vec<String> {
    let deleted = tried.values().filter(|one| one.mutant.kind == Kind::Deleted).count();
    let mut lines = vec![format!(
        "{} mutants of the kernel: {deleted} stores deleted, {} pairs swapped ({dependent} pairs \
         cannot be, counted in each image)",
        tried.len(),
        tried.len() - deleted,
    )];
    for (reach, what) in [
        (Reach::Cells, "in code that cells execute"),
        (Reach::Boot, "in code that start-up alone executes"),
        (Reach::Nothing, "in code that no run executes"),
    ] {
        lines.push(line(what, tried.values().filter(|one| one.reach == reach)));
    }
    let mut apart: BTreeMap<String, usize> = BTreeMap::new();
    for one in tried.values().filter(|one| one.reach == Reach::Nothing) {
        let Origin { file, function, .. } = &one.mutant.origin;
        *apart.entry(format!("{file} {function}")).or_default() += 1;
    }
    lines.extend(apart.iter().map(|(place, count)| format!("  not executed: {place}, {count}")));
    lines
}

/// One line: how many of some mutants were killed, and by what.
fn line<'a>(what: &str, mutants: impl Iterator<Item = &'a Tried>) -> String {
    let fates: Vec<&Fate> = mutants.map(|one| &one.fate).collect();
    let count = |is: &dyn Fn(&Fate) -> bool| fates.iter().filter(|fate| is(fate)).count();
    let survived = count(&|fate| *fate == Fate::Survived);
    let killed = fates.len() - survived;
    format!(
        "{} {what}: {killed} killed ({:.1} %): {} at start, {} undisturbed, {} by one interrupt, {} by \
         two; {survived} survive",
        fates.len(),
        100.0 * killed as f64 / fates.len().max(1) as f64,
        count(&|fate| matches!(fate, Fate::KilledAtStart)),
        count(&|fate| matches!(fate, Fate::KilledUndisturbed)),
        count(&|fate| matches!(fate, Fate::KilledBySingle(_))),
        count(&|fate| matches!(fate, Fate::KilledByDouble(_))),
    )
}

/// Every survivor is explained, and nothing else is.
fn judge(explained: &Survivors, survivors: &[Survivor], file: PathBuf) -> Verdict {
    let unexplained = explained.unexplained(survivors);
    let stale = explained.stale(survivors);
    let empty = explained.without_reason();
    let (message, lines, remedy) = if !unexplained.is_empty() {
        let lines: Vec<String> = unexplained.iter().map(|survivor| survivor.describe()).collect();
        let message = format!("{} mutants survive without an explanation", lines.len());
        (message, lines, "add a law or an operation that notices them, or explain them")
    } else if !stale.is_empty() {
        let message = format!("{} explanations explain nothing that survives", stale.len());
        (message, stale, "remove them, or write the line as it is now")
    } else if !empty.is_empty() {
        (format!("{} explanations give no reason", empty.len()), empty, "give one")
    } else {
        return Verdict::Passed;
    };
    Verdict::Failed(Report {
        place: Some(Place::file(&file)),
        message,
        remedy: Some(remedy.to_string()),
        output: Some(lines.join("\n")),
    })
}
