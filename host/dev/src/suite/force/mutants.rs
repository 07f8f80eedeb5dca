// SPDX-License-Identifier: MIT OR Apache-2.0
//! The test `mutants`: what the cells of all programs notice of changes to the kernel.
//!
//! Each program has its own copy of the kernel's functions, and copies of its inlined functions
//! within its own functions. A mutant is the same in two programs if the function of the image, the
//! line and the change are the same. In the programs' functions it is the same wherever the line is
//! inlined: a mistake in that line would be in all of them. It is dead if the cells of one program
//! kill it; later programs skip it. All programs do the first stage, then all do the second: the
//! quick ones leave little to the others. Before that, the tests that `survivors.toml` names are
//! run on the mutants that they are said to notice.

use super::figures::{figures, share_of_possible, thoroughness};
use super::search;
use super::survivors::{Survivor, Survivors, describe};
use super::{Context, Listener, Machine, ROOM, Report, Subject, Verdict, saying};
use lichen_force::{Campaign, Fate, Kind, Met, Mutant, Origin, Reach, Stage, look};
use lichen_parallel::in_parallel;
use lichen_project::Place;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What identifies a mutant across programs: the change, the index of the changed instruction
/// within its line (or of both), and the function of the image if that is the kernel's. On AVR the
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

    /// Whether it must be in the file: it is not noticed, or only by a test that is not part of
    /// every run.
    fn needs_words(&self) -> bool {
        self.survived().is_some() || self.words.noticed_by.is_some()
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

/// Cells of a program in which a mutant meets a few interrupts, and the same for an explained one.
const FEW: usize = 40;
const FEW_EXPLAINED: usize = 4;

/// About how many interleavings with one interrupt a mutant that has survived a sample meets, in
/// all programs together.
const THOROUGH: u64 = 10_000;

/// On boards other than the first, a run of the whole group tries one mutant in this many.
const ELSEWHERE: usize = 16;

/// Makes each mutant of the kernel in turn, or those whose file or function has `part` in its name,
/// and runs the cells of each program until one notices it. In a run over all of them, a mutant
/// meets only a few interrupts. If some are requested, a mutant that is not explained meets all
/// stages and all other tests that could notice it; in the long run, every mutant does.
pub(super) fn run(
    context: &Context<'_>,
    part: &str,
    machine: &Machine,
    subjects: &[&Subject],
    listener: &mut dyn Listener,
) -> Result<Verdict, Box<Report>> {
    let file = context.tree().path(ROOM).join(explanations_of(machine));
    let explained = Survivors::read(&file).map_err(|error| Box::new(Report::of(&error)))?;
    let explained = explained.of(part);
    let (mut all, trials) = prepare(context, part, subjects, listener)?;
    if all.is_empty() {
        return Ok(Verdict::Failed(nothing_of(part)));
    }
    let named = context.suite.filter.as_ref().is_some_and(|filter| filter.contains("mutants"));
    let sampled = !machine.is_first() && !named && !context.suite.long;
    let left_out = if sampled { leave_out(&mut all) } else { Vec::new() };
    let thorough = context.suite.long || !part.is_empty();
    let how = How { machine, explained: &explained, thorough };
    let all = try_all(context, all, &trials, &how, listener)?;
    let dependent = subjects.iter().map(|subject| subject.mutants().dependent).sum();
    let words = |is: &dyn Fn(&Tried) -> bool| -> Vec<Survivor> {
        all.values().filter(|one| is(one)).map(|one| one.words.clone()).collect()
    };
    if sampled {
        let line = format!("{}: one mutant in {ELSEWHERE} is tried", machine.board);
        listener.figure(context.group, &line);
    }
    for line in figures(&all, dependent) {
        listener.figure(context.group, &line);
    }
    let survivors = words(&|one| one.survived().is_some());
    let (total, open) = (survivors.len(), explained.open(&survivors));
    let line = format!("{total} survive, {open} of which are not shown to be beyond notice");
    listener.figure(context.group, &line);
    let of_cells = words(&|one| one.survived().is_some() && one.reach == Reach::Cells);
    let noticed = all.values().filter(|one| one.reach == Reach::Cells).count() - of_cells.len();
    listener.figure(context.group, &share_of_possible(noticed, explained.open(&of_cells)));
    for line in thoroughness(&all, context.suite.long) {
        listener.figure(context.group, &line);
    }
    let allowed = match (part.is_empty(), sampled) {
        (false, _) => 0,
        (true, false) => explained.unexplained_at_most,
        // Twice its share: which mutants are tried changes with the code.
        (true, true) => 2 * explained.unexplained_at_most.div_ceil(ELSEWHERE),
    };
    let mut survivors = words(&Tried::needs_words);
    survivors.extend(left_out.iter().flat_map(|one| explained.as_explained(one)));
    Ok(judge(&explained, &survivors, allowed, file))
}

/// The file that explains the survivors of a board.
fn explanations_of(machine: &Machine) -> String {
    if machine.is_first() {
        "survivors.toml".to_string()
    } else {
        format!("survivors_{}.toml", machine.board)
    }
}

/// Leaves all but a sample of the mutants out; returns their words.
fn leave_out(all: &mut All) -> Vec<Survivor> {
    let (mut number, mut left_out) = (0, Vec::new());
    all.retain(|_, one| {
        number += 1;
        let tried = number % ELSEWHERE == 0;
        if !tried {
            left_out.push(one.words.clone());
        }
        tried
    });
    left_out
}

/// The requested mutants, none tried yet, and the programs to try them.
fn prepare<'a>(
    context: &Context<'_>,
    part: &str,
    subjects: &[&'a Subject],
    listener: &mut dyn Listener,
) -> Result<(All, Vec<Trial<'a>>), Box<Report>> {
    let (mut all, mut trials, mut sources) = (All::new(), Vec::new(), BTreeMap::new());
    for subject in subjects {
        let trial = Trial::of(context, subject, part, listener)?;
        for (key, mutant) in &trial.mutants {
            let reach = trial.campaign.reach(mutant);
            let one = all.entry(key.clone()).or_insert_with(|| Tried {
                words: Survivor::new(mutant, reach, context.tree().root(), &mut sources),
                mutant: mutant.clone(),
                reach,
                fate: Fate::Survived(Met::default()),
                thoroughly: false,
            });
            one.reach = one.reach.min(reach);
            one.words.reach = one.reach;
        }
        trials.push(trial);
    }
    Ok((all, trials))
}

/// How mutants are tried.
struct How<'a> {
    machine: &'a Machine,
    explained: &'a Survivors,
    thorough: bool,
}

/// Takes all mutants through the stages.
fn try_all(
    context: &Context<'_>,
    mut all: All,
    trials: &[Trial<'_>],
    &How { machine, explained, thorough }: &How<'_>,
    listener: &mut dyn Listener,
) -> Result<All, Box<Report>> {
    search::by_name(context, explained, trials, &mut all, listener)?;
    let few = |one: &Tried| {
        Stage::Few(if !thorough && explained.has(&one.words) { FEW_EXPLAINED } else { FEW })
    };
    for trial in trials {
        trial.run(context, &|_| Some(Stage::Undisturbed), trials, &mut all, listener)?;
    }
    for trial in trials {
        trial.run(context, &|one| Some(few(one)), trials, &mut all, listener)?;
    }
    if thorough {
        let wanted = |one: &Tried| context.suite.long || !explained.has(&one.words);
        search::among_all(context, machine, &wanted, &mut all, listener)?;
        for stage in [Stage::Single, Stage::Double, Stage::Thorough(THOROUGH)] {
            for trial in trials {
                trial.run(
                    context,
                    &|one| wanted(one).then_some(stage),
                    trials,
                    &mut all,
                    listener,
                )?;
            }
        }
    }
    Ok(all)
}

/// Whether `mutant` is requested.
fn is_of(part: &str, mutant: &Mutant) -> bool {
    let Origin { file, function, .. } = &mutant.origin;
    [file, function, &mutant.within].iter().any(|name| name.contains(part))
}

fn nothing_of(part: &str) -> Report {
    Report {
        message: format!("nothing of the kernel is of a file or function like `{part}`"),
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
        subject: &'a Subject,
        part: &str,
        listener: &mut dyn Listener,
    ) -> Result<Trial<'a>, Box<Report>> {
        let Subject { name, program, ready, cells, reached, .. } = subject;
        if reached.get().is_none() {
            listener.working(context.group, &format!("{name}: what cells execute"));
            let looks = look(program, cells, ready, &subject.changed(), &mut |_| {});
            // Nothing else sets it.
            let _ = reached.set(looks.map_err(saying)?);
        }
        let reached = reached.get().map_or(&[][..], Vec::as_slice);
        // Numbered before the requested part is chosen, so that a key does not depend on the
        // request.
        let mutants = keyed(subject.mutants().all.clone());
        let of_part = |(_, mutant): &(Key, Mutant)| is_of(part, mutant);
        let mutants: Vec<(Key, Mutant)> = mutants.into_iter().filter(of_part).collect();
        let leaders = mutants.iter().map(|(_, mutant)| mutant.leader).collect();
        let campaign = Campaign::new(program, cells, ready, reached, &leaders).map_err(saying)?;
        Ok(Trial { name, campaign, mutants })
    }

    /// Takes the surviving ones through the stage that is chosen for each, if one is.
    fn run(
        &self,
        context: &Context<'_>,
        chosen: &dyn Fn(&Tried) -> Option<Stage>,
        trials: &[Trial<'_>],
        all: &mut All,
        listener: &mut dyn Listener,
    ) -> Result<(), Box<Report>> {
        let stage_of = |(key, mutant): &(Key, Mutant)| {
            let one = all.get(key).filter(|one| one.survived().is_some())?;
            let stage = chosen(one)?;
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
        let what = alive.first().map_or("", |(_, _, stage)| words_of(*stage));
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
        if !mutant.kernels {
            key.0 = String::new();
        }
        (key, mutant)
    };
    mutants.into_iter().map(number).collect()
}

/// Checks that every survivor is explained, except for a known number, and nothing else is.
fn judge(explained: &Survivors, survivors: &[Survivor], allowed: usize, file: PathBuf) -> Verdict {
    let unexplained = explained.unexplained(survivors);
    let stale = explained.stale(survivors);
    let empty = explained.without_reason();
    let (message, lines, remedy) = if unexplained.len() > allowed {
        let lines = describe(&unexplained);
        let count = unexplained.len();
        let message = format!("{count} mutants survive without an explanation, {allowed} may");
        (message, lines, "add a law or an operation that notices them, or explain them")
    } else if !stale.is_empty() {
        let message = format!("{} explanations explain no survivor", stale.len());
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
