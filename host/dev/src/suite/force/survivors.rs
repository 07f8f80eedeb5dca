// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mutants that cells do not notice in an ordinary run, and why that is acceptable:
//! `survivors.toml` beside the programs, or that of another board, such as `survivors_micaz.toml`. Either another test notices them, or an argument shows
//! that none can.
//!
//! An explanation names a line by its text, so that it moves with the code. Without a line it
//! applies to a whole function or file, but only to code that nothing executes.

use lichen_force::{Kind, Mutant, Origin, Reach};
use lichen_project::{FileError, read_toml};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The explanations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Survivors {
    /// How many mutants may survive a run over all programs without an explanation yet: a number
    /// that only decreases.
    #[serde(default)]
    pub(super) unexplained_at_most: usize,
    #[serde(default)]
    survivor: Vec<Explanation>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Explanation {
    /// File, from the top of the tree.
    file: String,
    /// Function that the line belongs to, inlined or not.
    function: Option<String>,
    /// Function of the image that it is inlined in, if that is one of the kernel's.
    within: Option<String>,
    /// Text of the line, trimmed.
    line: Option<String>,
    /// Text of the other store's line, if they were swapped.
    with: Option<String>,
    /// What was done to it, in the words of `Kind`; without it a store was deleted or swapped.
    #[serde(default)]
    done: Vec<String>,
    /// The test that notices it: a cell, as `force/PROGRAM/CELL`, or a test of another group.
    noticed_by: Option<String>,
    /// Why no test can notice it, or what is known about an open one.
    #[serde(default)]
    reason: String,
    /// It has not been shown that no cell can notice it: a law or an operation may be missing.
    #[serde(default)]
    open: bool,
}

/// A mutant that survived, in the words of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Survivor {
    kind: Kind,
    origin: Origin,
    line: String,
    with: Option<String>,
    within: Option<String>,
    pub(super) reach: Reach,
    /// The test that has noticed it nevertheless.
    pub(super) noticed_by: Option<String>,
}

impl Survivors {
    /// Reads `file`; nothing is explained if it does not exist.
    pub(super) fn read(file: &Path) -> Result<Survivors, FileError> {
        if !file.exists() {
            return Ok(Survivors { unexplained_at_most: 0, survivor: Vec::new() });
        }
        let (survivors, _): (Survivors, String) = read_toml(file)?;
        Ok(survivors)
    }

    /// Only the explanations of the requested mutants, selected by a part of a file's or function's
    /// name: all that one of these can explain are requested.
    pub(super) fn of(mut self, part: &str) -> Survivors {
        self.survivor.retain(|one| {
            let names = [Some(&one.file), one.function.as_ref(), one.within.as_ref()];
            names.into_iter().flatten().any(|name| name.contains(part))
        });
        self
    }

    /// Tests that are said to notice a mutant.
    pub(super) fn witnesses(&self, one: &Survivor) -> impl Iterator<Item = &String> {
        let named = self.survivor.iter().filter(|it| it.names(one));
        named.filter_map(|explanation| explanation.noticed_by.as_ref())
    }

    /// Whether a mutant is explained.
    pub(super) fn has(&self, one: &Survivor) -> bool {
        self.survivor.iter().any(|explanation| explanation.explains(one))
    }

    /// A mutant that was not tried, as each of its explanations describes it.
    pub(super) fn as_explained(&self, one: &Survivor) -> Vec<Survivor> {
        let named = self.survivor.iter().filter(|it| it.names(one));
        let described =
            named.map(|it| Survivor { noticed_by: it.noticed_by.clone(), ..one.clone() });
        described.collect()
    }

    /// The survivors that nothing explains.
    pub(super) fn unexplained<'a>(&self, found: &'a [Survivor]) -> Vec<&'a Survivor> {
        found.iter().filter(|one| !self.has(one)).collect()
    }

    /// Explanations of mutants that do not survive, or no longer exist; of an explanation of
    /// several changes, only these.
    pub(super) fn stale(&self, found: &[Survivor]) -> Vec<String> {
        self.survivor.iter().filter_map(|one| one.stale(found)).map(|one| one.describe()).collect()
    }

    /// How many of the survivors are not shown to be beyond notice.
    pub(super) fn open(&self, found: &[Survivor]) -> usize {
        let explained = |one: &&Survivor| {
            self.survivor.iter().any(|explanation| !explanation.open && explanation.explains(one))
        };
        found.len() - found.iter().filter(explained).count()
    }

    /// Explanations without a reason.
    pub(super) fn without_reason(&self) -> Vec<String> {
        let is_empty =
            |one: &&Explanation| one.noticed_by.is_none() && one.reason.trim().is_empty();
        let empty = self.survivor.iter().filter(is_empty);
        empty.map(Explanation::describe).collect()
    }
}

impl Explanation {
    /// Whether it accounts for the mutant: the named test must have noticed it, or none if none is
    /// named.
    fn explains(&self, survivor: &Survivor) -> bool {
        self.names(survivor) && self.noticed_by == survivor.noticed_by
    }

    /// Whether it is about this mutant.
    fn names(&self, survivor: &Survivor) -> bool {
        let function = self.function.as_ref().is_none_or(|it| *it == survivor.origin.function);
        let within = self.within.as_ref().is_none_or(|it| Some(it) == survivor.within.as_ref());
        let line = match &self.line {
            Some(line) => {
                let done = self.done().contains(&survivor.kind.to_string());
                *line == survivor.line && self.with == survivor.with && done
            }
            None => survivor.reach == Reach::Nothing,
        };
        self.file == survivor.origin.file && function && within && line
    }

    /// What was done to its line.
    fn done(&self) -> Vec<String> {
        let store = if self.with.is_some() { Kind::Swapped } else { Kind::Deleted };
        if self.done.is_empty() { vec![store.to_string()] } else { self.done.clone() }
    }

    /// The part of it that explains none of `found`.
    fn stale(&self, found: &[Survivor]) -> Option<Explanation> {
        let explains = |one: &Explanation| found.iter().any(|survivor| one.explains(survivor));
        let alone = |done| Explanation { done: vec![done], ..self.clone() };
        let stale = |done: &String| !explains(&alone(done.clone()));
        let done: Vec<String> = self.done.iter().filter(|done| stale(done)).cloned().collect();
        let is_stale = !done.is_empty() || !explains(self);
        is_stale.then(|| Explanation { done, ..self.clone() })
    }

    /// As written in the file, except its reason.
    fn describe(&self) -> String {
        entry(&[
            ("file", Some(&self.file)),
            ("function", self.function.as_ref()),
            ("within", self.within.as_ref()),
            ("line", self.line.as_ref()),
            ("with", self.with.as_ref()),
            ("noticed_by", self.noticed_by.as_ref()),
        ]) + &done(&self.done)
    }
}

/// The keys of an explanation as they are written.
fn entry(keys: &[(&str, Option<&String>)]) -> String {
    let given = keys.iter().filter_map(|(key, text)| Some((key, text.as_ref()?)));
    let lines = given.map(|(key, text)| format!("{key} = {}\n", toml::Value::from(text.as_str())));
    lines.fold("[[survivor]]\n".to_string(), |all, line| all + &line)
}

/// What was done, as it is written.
fn done(done: &[String]) -> String {
    if done.is_empty() {
        String::new()
    } else {
        format!("done = {}\n", toml::Value::from(done.to_vec()))
    }
}

/// Survivors of one line in one place, described together.
pub(super) fn describe(survivors: &[&Survivor]) -> Vec<String> {
    let mut groups: BTreeMap<(String, bool), BTreeSet<Kind>> = BTreeMap::new();
    for survivor in survivors {
        let group = (survivor.describe(), survivor.noticed_by.is_some());
        groups.entry(group).or_default().insert(survivor.kind);
    }
    let of_stores = |kinds: &BTreeSet<Kind>| {
        kinds.len() == 1 && kinds.iter().all(|kind| matches!(kind, Kind::Deleted | Kind::Swapped))
    };
    let described = groups.into_iter().map(|((described, noticed), kinds)| {
        let kinds = if of_stores(&kinds) { BTreeSet::new() } else { kinds };
        let kinds: Vec<String> = kinds.iter().map(Kind::to_string).collect();
        let reason = if noticed { "" } else { "reason = \"\"\n" };
        format!("{described}{}{reason}", done(&kinds))
    });
    described.collect()
}

impl Survivor {
    /// Describes `mutant`; `sources` has the text of files that were read already.
    pub(super) fn new(
        mutant: &Mutant,
        reach: Reach,
        root: &Path,
        sources: &mut BTreeMap<String, Vec<String>>,
    ) -> Survivor {
        let mut text = |origin: &Origin| {
            let lines = sources.entry(origin.file.clone()).or_insert_with(|| {
                // A file that cannot be read has no text, so no explanation matches.
                let text = std::fs::read_to_string(root.join(&origin.file)).unwrap_or_default();
                text.lines().map(|line| line.trim().to_string()).collect()
            });
            lines.get(origin.line as usize - 1).cloned().unwrap_or_default()
        };
        let with = mutant.other.as_ref().map(&mut text);
        Survivor {
            kind: mutant.kind,
            line: text(&mutant.origin),
            with,
            origin: mutant.origin.clone(),
            within: mutant.kernels.then(|| mutant.within.clone()),
            reach,
            noticed_by: None,
        }
    }

    /// Where it is, and an explanation of it that lacks what was done and the reason.
    fn describe(&self) -> String {
        let Origin { file, line, function } = &self.origin;
        let reached = match self.reach {
            Reach::Cells => "",
            Reach::Boot => "; at start-up only",
            Reach::Nothing => "; never executed",
        };
        let explanation = entry(&[
            ("file", Some(file)),
            ("function", Some(function)),
            ("within", self.within.as_ref()),
            ("line", Some(&self.line)),
            ("with", self.with.as_ref()),
            ("noticed_by", self.noticed_by.as_ref()),
        ]);
        format!("# {file}:{line} ({}{reached})\n{explanation}", self.place())
    }

    /// Where in the image it is.
    fn place(&self) -> &str {
        self.within.as_deref().unwrap_or("inlined in programs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survivor(line: &str, with: Option<&str>, reach: Reach) -> Survivor {
        let origin = Origin { file: "os/kernel/a.c".into(), line: 3, function: "f".into() };
        let within = Some("f".to_string());
        let kind = if with.is_some() { Kind::Swapped } else { Kind::Deleted };
        let (line, with, noticed_by) = (line.into(), with.map(Into::into), None);
        Survivor { kind, origin, line, with, within, reach, noticed_by }
    }

    fn explained(text: &str) -> Survivors {
        toml::from_str(text).expect("well-formed")
    }

    const LINE: &str =
        "[[survivor]]\nfile = 'os/kernel/a.c'\nfunction = 'f'\nline = 'x = 0;'\nreason = 'r'\n";
    const FILE: &str = "[[survivor]]\nfile = 'os/kernel/a.c'\nreason = 'r'\n";

    #[test]
    fn a_line_explains_what_was_done_to_it_alone() {
        let survivors = explained(LINE);
        let deleted = survivor("x = 0;", None, Reach::Cells);
        let swapped = survivor("x = 0;", Some("y = 0;"), Reach::Cells);
        let found = [deleted, swapped.clone()];
        assert_eq!(survivors.unexplained(&found), [&swapped]);
        assert!(survivors.stale(&found).is_empty());
        assert_eq!(survivors.stale(&found[1..]).len(), 1);
    }

    #[test]
    fn an_inlined_line_can_be_explained_at_one_place_alone() {
        let found = [survivor("x = 0;", None, Reach::Cells)];
        let within = |name| explained(&format!("{LINE}within = '{name}'\n"));
        assert!(within("f").unexplained(&found).is_empty());
        assert_eq!(within("g").unexplained(&found).len(), 1);
    }

    #[test]
    fn a_file_explains_only_what_nothing_executes() {
        let survivors = explained(FILE);
        let found = [Reach::Cells, Reach::Boot, Reach::Nothing]
            .map(|reach| survivor("x = 0;", None, reach));
        assert_eq!(survivors.unexplained(&found), [&found[0], &found[1]]);
    }

    #[test]
    fn an_open_explanation_is_counted() {
        let found = [survivor("x = 0;", None, Reach::Cells)];
        assert_eq!(explained(LINE).open(&found), 0);
        let open = explained(&format!("{LINE}open = true\n"));
        assert_eq!(open.open(&found), 1);
        assert!(open.unexplained(&found).is_empty());
    }

    #[test]
    fn a_test_that_is_named_must_have_noticed_it() {
        let named = LINE.replace("reason = 'r'", "noticed_by = 'mote/hamilton/timer'");
        let survivors = explained(&named);
        let mut found = [survivor("x = 0;", None, Reach::Cells)];
        assert_eq!(survivors.witnesses(&found[0]).collect::<Vec<_>>(), ["mote/hamilton/timer"]);
        assert_eq!((survivors.unexplained(&found).len(), survivors.stale(&found).len()), (1, 1));
        found[0].noticed_by = Some("mote/hamilton/timer".to_string());
        assert_eq!((survivors.unexplained(&found).len(), survivors.stale(&found).len()), (0, 0));
        let both = explained(&(named + LINE));
        assert_eq!(both.stale(&found).len(), 1, "what is noticed needs no other reason");
        let described = explained(&describe(&[&found[0]]).concat());
        assert!(described.unexplained(&found).is_empty());
        assert!(described.without_reason().is_empty());
    }

    #[test]
    fn a_survivor_describes_an_explanation_of_itself() {
        let found = [survivor("say('x');", Some("y = \"\";"), Reach::Cells)];
        let described = explained(&describe(&[&found[0]]).concat());
        assert!(described.unexplained(&found).is_empty());
        assert_eq!(described.without_reason(), [described.survivor[0].describe()]);
    }

    #[test]
    fn several_things_done_to_a_line_are_explained_together() {
        let kinds = [Kind::Inverted, Kind::Never, Kind::Less];
        let found =
            kinds.map(|kind| Survivor { kind, ..survivor("if (x > 1)", None, Reach::Cells) });
        let described = explained(&describe(&found.iter().collect::<Vec<_>>()).concat());
        assert_eq!(described.survivor.len(), 1);
        assert!(described.unexplained(&found).is_empty());
        assert_eq!(described.unexplained(&[survivor("if (x > 1)", None, Reach::Cells)]).len(), 1);
        assert!(described.stale(&found).is_empty());
        let stale = described.stale(&found[1..]);
        assert!(stale.len() == 1 && stale[0].contains("inverted") && !stale[0].contains("never"));
    }

    #[test]
    fn explanations_of_other_files_and_functions_are_left_out() {
        let count = |part| explained(&(LINE.to_string() + FILE)).of(part).survivor.len();
        assert_eq!([count("kernel/a"), count("f"), count("b.c")], [2, 1, 0]);
    }

    #[test]
    fn a_reason_must_be_given() {
        assert!(explained(LINE).without_reason().is_empty());
        assert_eq!(explained(&LINE.replace("'r'", "' '")).without_reason().len(), 1);
    }
}
