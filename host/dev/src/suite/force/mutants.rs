// SPDX-License-Identifier: MIT OR Apache-2.0
//! The test `mutants`: what the cells of all programs notice of changes to the kernel, and to code of other areas.
//!
//! Each program has its own copy of the kernel's functions, and copies of its inlined functions
//! within its own functions. A mutant is the same in two programs if the function of the image, the
//! line and the change are the same. In the programs' functions it is the same wherever the line is
//! inlined: a mistake in that line would be in all of them. It is dead if the cells of one program
//! kill it; later programs skip it. All programs do the first stage, then all do the second: the
//! quick ones leave little to the others.

use super::figures::{figures, thoroughness};
use super::search;
use super::survivors::{Other, Sources, Survivor, Survivors};
use super::{Context, Listener, Machine, ROOM, Report, Subject, Verdict, saying};
use lichen_force::{Area, Campaign, Fate, Kind, Met, Mutant, Origin, Reach, Stage, look};
use lichen_parallel::in_parallel;
use lichen_project::{Place, Tree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What identifies a mutant across programs: the change, the index of the changed instruction
/// within its line (or of both), and the function of the image if that is of the same area. On AVR the
/// index is that within the function instead: lines of relaxed code are not exact.
pub(super) type Key = (String, Kind, Origin, Option<Origin>, usize);

/// All mutants.
pub(super) type All = BTreeMap<Key, Tried>;

/// A mutant, and the verdict of all programs together.
pub(super) struct Tried {
    pub(super) mutant: Mutant,
    pub(super) reach: Reach,
    pub(super) fate: Fate,
    /// In the words of the source.
    pub(super) words: Survivor,
    /// Whether a program has tried it at all moments or at a share of them.
    thoroughly: bool,
}

impl Tried {
    /// One that nothing has reached yet; `sources` has the text of files that were read already.
    pub(super) fn new(mutant: &Mutant, root: &Path, sources: &mut Sources) -> Tried {
        Tried {
            words: Survivor::new(mutant, Reach::Nothing, root, sources),
            mutant: mutant.clone(),
            reach: Reach::Nothing,
            fate: Fate::Survived(Met::default()),
            thoroughly: false,
        }
    }

    /// Records that a program reaches it so.
    pub(super) fn is_reached(&mut self, reach: Reach) {
        self.reach = self.reach.min(reach);
        self.words.reach = self.reach;
    }

    /// What it has survived, if nothing noticed it.
    pub(super) fn survived(&self) -> Option<Met> {
        match self.fate {
            Fate::Survived(met) if self.words.noticed_by.is_none() => Some(met),
            _ => None,
        }
    }

    /// Whether a cell has noticed it.
    pub(super) fn is_noticed_by_cells(&self) -> bool {
        !matches!(self.fate, Fate::Survived(_))
    }

    /// Records that it survived a stage of the program `name`. It has met every interleaving if it
    /// has in every program.
    fn then(&mut self, name: &str, stage: Stage, fate: Fate) {
        match (&mut self.fate, fate) {
            (Fate::Survived(met), Fate::Survived(more)) => {
                met.runs += more.runs;
                if matches!(stage, Stage::Thorough(_)) {
                    met.all = more.all && (met.all || !self.thoroughly);
                    self.thoroughly = true;
                }
            }
            (Fate::Survived(_), fate) => {
                if let Fate::KilledBySingle(cell) | Fate::KilledByDouble(cell) = &fate {
                    let named = (!is_ordinary(stage)).then(|| format!("force/{name}/{cell}"));
                    self.words.noticed_by = named;
                }
                self.fate = fate;
            }
            _ => {}
        }
    }
}

/// Whether a stage is part of every run.
fn is_ordinary(stage: Stage) -> bool {
    matches!(stage, Stage::Undisturbed | Stage::Few(_))
}

/// Cells of a program in which a mutant meets a few interrupts.
pub(super) const FEW: usize = 40;

/// About how many interleavings with one interrupt a mutant that has survived a sample meets, in
/// all programs together.
const THOROUGH: u64 = 10_000;

/// Makes each mutant of the kernel in turn, or those whose file or function has `part` in its name,
/// and runs the cells of each program until one notices it. In a run over all of them, a mutant
/// meets only a few interrupts. If some are requested, and in the long run, a mutant meets all stages and all other tests
/// that could notice it.
pub(super) fn run(
    context: &Context<'_>,
    part: &str,
    machine: &Machine,
    subjects: &[&Subject<'_>],
    listener: &mut dyn Listener,
) -> Result<Verdict, Box<Report>> {
    let file = context.tree().path(ROOM).join(table_of(machine));
    let known = Survivors::read(&file).map_err(|error| Box::new(Report::of(&error)))?;
    let (all, trials) = prepare(context, (Area::Kernel, part), subjects, listener)?;
    if all.is_empty() {
        return Ok(Verdict::Failed(nothing_of(part)));
    }
    let thorough = context.suite.long || !part.is_empty();
    let all = try_all(context, all, &trials, (machine, thorough), listener)?;
    let dependent = subjects.iter().map(|subject| subject.mutants(Area::Kernel).dependent).sum();
    for line in figures(&all, dependent).iter().chain(&thoroughness(&all)) {
        listener.figure(context.group, line);
    }
    let survivors = all.values().filter(|one| one.survived().is_some());
    let survivors: Vec<Survivor> = survivors.map(|one| one.words.clone()).collect();
    let line = format!("{} survive, {} are known to", survivors.len(), known.total());
    listener.figure(context.group, &line);
    if !known.is_by_file() {
        return Ok(judge_all(&survivors, known.total(), file));
    }
    let (more, fewer): (Vec<Other>, Vec<Other>) =
        known.others(&survivors).into_iter().partition(Other::is_more);
    if part.is_empty() && !thorough {
        for other in &fewer {
            listener.figure(context.group, &format!("fewer survive: {}", other.row()));
        }
    }
    if !part.is_empty() {
        for survivor in &survivors {
            listener.figure(context.group, &survivor.describe());
        }
    }
    Ok(judge(&more, &survivors, file))
}

/// Whether mutants are tried on a board: a file says how many survive there.
pub(super) fn is_for(machine: &Machine, tree: &Tree) -> bool {
    tree.path(ROOM).join(table_of(machine)).is_file()
}

/// The file with how many survive on a board.
fn table_of(machine: &Machine) -> String {
    if machine.is_first() {
        "survivors.toml".to_string()
    } else {
        format!("survivors_{}.toml", machine.board)
    }
}

/// The requested mutants of an area, none tried yet, and the programs to try them.
pub(super) fn prepare<'a>(
    context: &Context<'_>,
    (area, part): (Area, &str),
    subjects: &[&'a Subject<'_>],
    listener: &mut dyn Listener,
) -> Result<(All, Vec<Trial<'a>>), Box<Report>> {
    let (mut all, mut trials, mut sources) = (All::new(), Vec::new(), BTreeMap::new());
    for subject in subjects {
        if !subject.mutants(area).all.iter().any(|mutant| is_of(part, mutant)) {
            continue;
        }
        let trial = Trial::of(context, subject, (area, part), listener)?;
        for (key, mutant) in &trial.mutants {
            let reach = trial.campaign.reach(mutant);
            let new = || Tried::new(mutant, context.tree().root(), &mut sources);
            all.entry(key.clone()).or_insert_with(new).is_reached(reach);
        }
        trials.push(trial);
    }
    Ok((all, trials))
}

/// Takes all mutants through the stages, those that come after a few interrupts if the run is thorough.
fn try_all(
    context: &Context<'_>,
    mut all: All,
    trials: &[Trial<'_>],
    (machine, thorough): (&Machine, bool),
    listener: &mut dyn Listener,
) -> Result<All, Box<Report>> {
    let mut stages = vec![Stage::Undisturbed, Stage::Few(FEW)];
    if thorough {
        stages.extend([Stage::Single, Stage::Double, Stage::Thorough(THOROUGH)]);
    }
    for stage in stages {
        if stage == Stage::Single {
            search::among_all(context, machine, &mut all, listener)?;
        }
        for trial in trials {
            trial.run(context, stage, trials, &mut all, listener)?;
        }
    }
    Ok(all)
}

/// Whether `mutant` is requested.
pub(super) fn is_of(part: &str, mutant: &Mutant) -> bool {
    let Origin { file, function, .. } = &mutant.origin;
    [file, function, &mutant.within].iter().any(|name| name.contains(part))
}

pub(super) fn nothing_of(part: &str) -> Report {
    Report {
        message: format!("no code that is mutated is of a file or function like `{part}`"),
        remedy: Some("name a part of either, such as os/kernel/time or notify_deliver".to_string()),
        ..Report::default()
    }
}

/// A program, and its requested mutants.
pub(super) struct Trial<'a> {
    pub(super) name: &'a str,
    pub(super) campaign: Campaign<'a>,
    pub(super) mutants: Vec<(Key, Mutant)>,
}

impl<'a> Trial<'a> {
    fn of(
        context: &Context<'_>,
        subject: &'a Subject<'_>,
        (area, part): (Area, &str),
        listener: &mut dyn Listener,
    ) -> Result<Trial<'a>, Box<Report>> {
        let Subject { name, program, ready, cells, reached, .. } = subject;
        let reached = &reached[area as usize];
        if reached.get().is_none() {
            listener.working(context.group, &format!("{name}: what cells execute"));
            let looks = look(program, cells, ready, &subject.changed(area), &mut |_| {});
            // Nothing else sets it.
            let _ = reached.set(looks.map_err(saying)?);
        }
        let reached = reached.get().map_or(&[][..], Vec::as_slice);
        // Numbered before the requested part is chosen, so that a key does not depend on the
        // request.
        let mutants = keyed(subject.mutants(area).all.clone());
        let of_part = |(_, mutant): &(Key, Mutant)| is_of(part, mutant);
        let mutants: Vec<(Key, Mutant)> = mutants.into_iter().filter(of_part).collect();
        let leaders = mutants.iter().map(|(_, mutant)| mutant.leader).collect();
        let campaign = Campaign::new(program, cells, ready, reached, &leaders).map_err(saying)?;
        Ok(Trial { name, campaign, mutants })
    }

    /// Takes the surviving ones through a stage.
    pub(super) fn run(
        &self,
        context: &Context<'_>,
        stage: Stage,
        trials: &[Trial<'_>],
        all: &mut All,
        listener: &mut dyn Listener,
    ) -> Result<(), Box<Report>> {
        let stage_of = |(key, mutant): &(Key, Mutant)| {
            all.get(key).filter(|one| one.survived().is_some())?;
            let concerned = match self.campaign.reach(mutant) {
                Reach::Cells => true,
                Reach::Boot => stage == Stage::Undisturbed,
                Reach::Nothing => false,
            };
            concerned.then(|| match stage {
                Stage::Thorough(runs) => {
                    let meets = trials.iter().filter(|trial| trial.meets(key)).count() as u64;
                    Stage::Thorough(runs / meets.max(1))
                }
                stage => stage,
            })
        };
        let alive = self.mutants.iter().filter_map(|it| Some((&it.0, &it.1, stage_of(it)?)));
        let alive: Vec<(&Key, &Mutant, Stage)> = alive.collect();
        let (name, count) = (self.name, alive.len());
        let what = words_of(stage);
        let mut told = |done| {
            listener.working(context.group, &format!("{name}: {done} of {count} mutants, {what}"));
        };
        let work = |rig: &mut _, index: usize| {
            let (_, mutant, stage) = alive[index];
            self.campaign.try_on(rig, mutant, stage)
        };
        let fates = in_parallel(count, || self.campaign.rig(), work, &mut told);
        let fates = fates.map_err(saying)?.into_iter().collect::<Result<Vec<Fate>, _>>();
        for ((key, _, stage), fate) in alive.iter().zip(fates.map_err(saying)?) {
            if let Some(one) = all.get_mut(*key) {
                one.then(name, *stage, fate);
            }
        }
        Ok(())
    }

    /// Whether cells of this program execute a mutant.
    fn meets(&self, key: &Key) -> bool {
        let mutant = self.mutants.iter().find(|(it, _)| it == key);
        mutant.is_some_and(|(_, mutant)| self.campaign.reach(mutant) == Reach::Cells)
    }
}

fn words_of(stage: Stage) -> &'static str {
    match stage {
        Stage::Undisturbed => "undisturbed",
        Stage::Few(_) => "a few interrupts",
        Stage::Single => "one interrupt",
        Stage::Double => "two interrupts",
        Stage::Thorough(_) => "more of one interrupt",
    }
}

/// Mutants by what identifies them across programs.
pub(super) fn keyed(mutants: Vec<Mutant>) -> Vec<(Key, Mutant)> {
    let mut seen: BTreeMap<Key, usize> = BTreeMap::new();
    let number = |mutant: Mutant| {
        let (mut origin, mut other) = (mutant.origin.clone(), mutant.other.clone());
        if let Some(index) = mutant.index {
            // A function is the same in all images, as its instructions are counted.
            origin = Origin { line: index, ..Origin::default() };
            other = None;
        }
        let mut key = (mutant.within.clone(), mutant.kind, origin, other, 0);
        let count = seen.entry(key.clone()).or_default();
        key.4 = *count;
        *count += 1;
        if !mutant.is_own {
            key.0 = String::new();
        }
        (key, mutant)
    };
    mutants.into_iter().map(number).collect()
}

/// A run fails if more mutants of a file survive than the table says.
fn judge(more: &[Other], survivors: &[Survivor], file: PathBuf) -> Verdict {
    if more.is_empty() {
        return Verdict::Passed;
    }
    let rows = more.iter().map(Other::row);
    let described = more.iter().flat_map(|other| other.of(survivors)).map(Survivor::describe);
    let message = format!("in {} files more mutants survive than are known", more.len());
    too_many(message, rows.chain(described), file)
}

/// A run fails if more mutants survive than are `allowed`.
fn judge_all(survivors: &[Survivor], allowed: usize, file: PathBuf) -> Verdict {
    if survivors.len() <= allowed {
        return Verdict::Passed;
    }
    let message = format!("{} mutants survive, {allowed} are known to", survivors.len());
    too_many(message, survivors.iter().map(Survivor::describe), file)
}

fn too_many(message: String, lines: impl Iterator<Item = String>, file: PathBuf) -> Verdict {
    let remedy = "add a law or an operation that notices them; if none can, correct the table";
    Verdict::Failed(Report {
        place: Some(Place::file(&file)),
        message,
        remedy: Some(remedy.to_string()),
        output: Some(lines.collect::<Vec<_>>().join("\n")),
    })
}
