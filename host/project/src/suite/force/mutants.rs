// SPDX-License-Identifier: MIT OR Apache-2.0
//! The test `mutants`: what the cells of all programs notice of changes to the kernel.
//!
//! Each program has the kernel's functions once more, and copies of its inlined functions within its own. A
//! mutant is the same in two programs if function of the image, line and what was done are. It is dead if the
//! cells of one program kill it; the programs after that one are spared it.

use super::survivors::{Survivor, Survivors};
use super::{Bench, Listener, ROOM, Report, Subject, Verdict, saying};
use crate::Place;
use lichen_force::{Campaign, Error, Fate, Kind, Met, Mutant, Origin, Reach, in_parallel, look};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What makes mutants of several programs one: what was done to the how-manieth store of a line, or of two, in
/// which function of the image.
type Key = (String, Kind, Origin, Option<Origin>, usize);

/// A mutant, and what all programs together say of it.
#[derive(Clone)]
struct Tried {
    mutant: Mutant,
    reach: Reach,
    fate: Fate,
}

impl Tried {
    /// What it has survived, if it has.
    fn survived(&self) -> Option<Met> {
        match self.fate {
            Fate::Survived(met) => Some(met),
            _ => None,
        }
    }

    /// It has met more of the moments of one program.
    fn meets_more(&mut self, fate: Fate) {
        match (&mut self.fate, fate) {
            (Fate::Survived(met), Fate::Survived(more)) => {
                met.runs += more.runs;
                met.all &= more.all;
            }
            (before, fate) => *before = fate,
        }
    }

    /// The same with what another program, whose cells it has survived `before`, had to say.
    fn after(mut self, before: &Tried) -> Tried {
        self.reach = self.reach.min(before.reach);
        if let (Fate::Survived(met), Some(earlier)) = (&mut self.fate, before.survived()) {
            met.runs += earlier.runs;
        }
        self
    }
}

/// About how many interleavings with one interrupt a mutant meets, in all programs together, that has
/// survived a sample.
const THOROUGH: u64 = 10_000;

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
    let (mut tried, mut dependent, mut trials) = (BTreeMap::new(), 0, Vec::new());
    for subject in subjects {
        dependent += subject.mutants.dependent;
        let of_part = |mutant: &&Mutant| is_of(part, mutant);
        let mutants = subject.mutants.all.iter().filter(of_part).cloned().collect();
        let trial = Trial::of(bench, subject, mutants, &tried, listener)?;
        trial.run(bench, &mut tried, listener)?;
        trials.push(trial);
    }
    for trial in &trials {
        trial.run_thoroughly(bench, &trials, &mut tried, listener)?;
    }
    for line in figures(&tried, dependent) {
        listener.figure(bench.group, &line);
    }
    let mut sources = BTreeMap::new();
    let survivors: Vec<Survivor> = tried
        .values()
        .filter(|one| one.survived().is_some())
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
    listener.figure(bench.group, &thoroughness(&tried));
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

/// The mutants of one program that those before it have not killed.
struct Trial<'a> {
    name: &'a str,
    campaign: Campaign<'a>,
    mutants: Vec<(Key, Mutant)>,
}

impl<'a> Trial<'a> {
    fn of(
        bench: &Bench<'_>,
        subject: &'a Subject,
        mutants: Vec<Mutant>,
        tried: &BTreeMap<Key, Tried>,
        listener: &mut dyn Listener,
    ) -> Result<Trial<'a>, Box<Report>> {
        let Subject { name, program, ready, cells, reached, .. } = subject;
        if reached.get().is_none() {
            listener.working(bench.group, &format!("{name}: what cells come by"));
            let looks = look(program, cells, ready, &subject.changed(), &mut |_| {});
            // Nobody else is here to set it.
            let _ = reached.set(looks.map_err(saying)?);
        }
        let reached = reached.get().map_or(&[][..], Vec::as_slice);
        let campaign = Campaign::new(program, cells, reached, &mutants).map_err(saying)?;
        let is_open = |key: &Key| tried.get(key).is_none_or(|one| one.survived().is_some());
        let mutants = keyed(mutants).into_iter().filter(|(key, _)| is_open(key)).collect();
        Ok(Trial { name, campaign, mutants })
    }

    fn run(
        &self,
        bench: &Bench<'_>,
        tried: &mut BTreeMap<Key, Tried>,
        listener: &mut dyn Listener,
    ) -> Result<(), Box<Report>> {
        let work = |(_, mutant): &(Key, Mutant)| self.campaign.try_on(mutant);
        let fates = self.each(bench, &self.mutants, work, listener)?;
        for ((key, mutant), fate) in self.mutants.iter().zip(fates) {
            let now = Tried { reach: self.campaign.reach(mutant), mutant: mutant.clone(), fate };
            let now = tried.get(key).map_or(now.clone(), |before| now.after(before));
            tried.insert(key.clone(), now);
        }
        Ok(())
    }

    /// Lets those that all programs have let live meet their share of all moments.
    fn run_thoroughly(
        &self,
        bench: &Bench<'_>,
        trials: &[Trial<'_>],
        tried: &mut BTreeMap<Key, Tried>,
        listener: &mut dyn Listener,
    ) -> Result<(), Box<Report>> {
        let survives = |(key, _): &&(Key, Mutant)| tried[key].survived().is_some();
        let alive: Vec<(Key, Mutant)> = self
            .mutants
            .iter()
            .filter(|one| self.meets(&one.0))
            .filter(survives)
            .cloned()
            .collect();
        let work = |(key, mutant): &(Key, Mutant)| {
            let programs = trials.iter().filter(|trial| trial.meets(key)).count() as u64;
            self.campaign.try_thoroughly(mutant, THOROUGH / programs.max(1))
        };
        let fates = self.each(bench, &alive, work, listener)?;
        for ((key, _), fate) in alive.iter().zip(fates) {
            if let Some(one) = tried.get_mut(key) {
                one.meets_more(fate);
            }
        }
        Ok(())
    }

    /// Whether cells of this program come by a mutant.
    fn meets(&self, key: &Key) -> bool {
        let mutant = self.mutants.iter().find(|(it, _)| it == key);
        mutant.is_some_and(|(_, mutant)| self.campaign.reach(mutant) == Reach::Cells)
    }

    fn each(
        &self,
        bench: &Bench<'_>,
        mutants: &[(Key, Mutant)],
        work: impl Fn(&(Key, Mutant)) -> Result<Fate, Error> + Sync,
        listener: &mut dyn Listener,
    ) -> Result<Vec<Fate>, Box<Report>> {
        let (name, count) = (self.name, mutants.len());
        let mut told = |done| {
            listener.working(bench.group, &format!("{name}: {done} of {count} mutants"));
        };
        let work = |(): &mut (), index: usize| work(&mutants[index]);
        let fates = in_parallel(count, || Ok::<(), Error>(()), work, &mut told);
        fates.map_err(saying)?.into_iter().collect::<Result<_, _>>().map_err(saying)
    }
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

/// What survivors in code that cells execute have met.
fn thoroughness(tried: &BTreeMap<Key, Tried>) -> String {
    let met = |one: &Tried| one.survived().filter(|_| one.reach == Reach::Cells);
    let met: Vec<Met> = tried.values().filter_map(met).collect();
    let all = met.iter().filter(|met| met.all).count();
    let runs = |met: &Met| met.runs;
    format!(
        "those in code that cells execute have met {} interleavings each at least, {} in all; {all} of {} \
         have met every one with one interrupt",
        met.iter().map(runs).min().unwrap_or_default(),
        met.iter().map(runs).sum::<u64>(),
        met.len(),
    )
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
    let survived = count(&|fate| matches!(fate, Fate::Survived(_)));
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
