// SPDX-License-Identifier: MIT OR Apache-2.0
//! The test `mutants` of a program: what its cells notice of changes to the kernel.

use super::survivors::{Survivor, Survivors};
use super::{Bench, Listener, Report, Verdict, saying};
use crate::{Place, Program};
use lichen_chip::Snapshot;
use lichen_force::{Campaign, Cell, Error, Fate, Kind, Mutants, in_parallel};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Changes every store of the kernel in turn and runs `cells` until one notices.
pub(super) fn run(
    bench: &Bench<'_>,
    program: &Program,
    forced: &lichen_force::Program,
    ready: &Snapshot,
    cells: &[Cell],
    listener: &mut dyn Listener,
) -> Result<(), Box<Report>> {
    let name = &program.manifest.name;
    let file = program.folder.join("survivors.toml");
    let explained = Survivors::read(&file).map_err(|error| Box::new(Report::of(&error)))?;
    let mutants = Mutants::of(forced);
    listener.working(bench.group, &format!("{name}: what cells come by"));
    let campaign =
        Campaign::new(forced, cells, ready, &mutants.all, &mut |_| {}).map_err(saying)?;
    let all = mutants.all.len();
    let mut told = |done| {
        listener.working(bench.group, &format!("{name}: {done} of {all} mutants"));
    };
    let work = |(): &mut (), index: usize| campaign.try_on(&mutants.all[index]);
    let fates = in_parallel(all, || Ok::<(), Error>(()), work, &mut told).map_err(saying)?;
    let fates = fates.into_iter().collect::<Result<Vec<_>, _>>().map_err(saying)?;
    listener.figure(bench.group, &figures(&mutants, &fates));
    let mut sources = BTreeMap::new();
    let survivors: Vec<Survivor> = mutants
        .all
        .iter()
        .zip(&fates)
        .filter_map(|(mutant, fate)| match fate {
            Fate::Survived { reached } => {
                Some(Survivor::new(mutant, *reached, bench.tree().root(), &mut sources))
            }
            _ => None,
        })
        .collect();
    bench.tell(listener, format!("{name}/mutants"), judge(&explained, &survivors, file));
    Ok(())
}

/// One line: how many mutants there are, and at what each died.
fn figures(mutants: &Mutants, fates: &[Fate]) -> String {
    let count = |is: &dyn Fn(&Fate) -> bool| fates.iter().filter(|fate| is(fate)).count();
    let survived = count(&|fate| matches!(fate, Fate::Survived { .. }));
    let unreached = count(&|fate| matches!(fate, Fate::Survived { reached: false }));
    let killed = fates.len() - survived;
    let deleted = mutants.all.iter().filter(|mutant| mutant.kind == Kind::Deleted).count();
    format!(
        "{} mutants of the kernel: {deleted} stores deleted, {} pairs swapped ({} pairs cannot \
         be); {killed} killed ({:.1} %): {} at start, {} undisturbed, {} by one interrupt, {} by two; \
         {survived} survive, of which no cell comes by {unreached}",
        fates.len(),
        fates.len() - deleted,
        mutants.dependent,
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
