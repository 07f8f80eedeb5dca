// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many mutants of each file survive the first stages: `survivors.toml` beside the programs, or that of another
//! board, such as `survivors_micaz.toml`. `doc/design/proof.md` says of what kinds they are, and why that is acceptable.

use lichen_force::{Kind, Mutant, Origin, Reach};
use lichen_project::{FileError, read_toml};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The numbers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Survivors {
    /// Of a board whose survivors nobody has looked at by file: of all files together.
    all: Option<usize>,
    /// By file, from the top of the tree.
    #[serde(default)]
    survive: BTreeMap<String, usize>,
}

/// The lines of files that were read already.
pub(super) type Sources = BTreeMap<String, Vec<String>>;

/// A mutant that survived, in the words of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Survivor {
    kind: Kind,
    origin: Origin,
    line: String,
    with: Option<String>,
    within: Option<String>,
    pub(super) reach: Reach,
    /// The test of another group, or the cell of a later stage, that has noticed it.
    pub(super) noticed_by: Option<String>,
}

/// A file with another number of survivors than the table has.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Other {
    file: String,
    found: usize,
    known: usize,
}

impl Survivors {
    /// Reads `file`; none survives if it does not exist.
    pub(super) fn read(file: &Path) -> Result<Survivors, FileError> {
        if !file.exists() {
            return Ok(Survivors::default());
        }
        let (survivors, _): (Survivors, String) = read_toml(file)?;
        Ok(survivors)
    }

    /// How many survive in all files.
    pub(super) fn total(&self) -> usize {
        self.all.unwrap_or_else(|| self.survive.values().sum())
    }

    /// Whether it has a number for each file.
    pub(super) fn is_by_file(&self) -> bool {
        self.all.is_none()
    }

    /// The files in which another number of `found` is than the table has.
    pub(super) fn others(&self, found: &[Survivor]) -> Vec<Other> {
        let mut counts: BTreeMap<&str, usize> =
            self.survive.keys().map(|file| (file.as_str(), 0)).collect();
        for survivor in found {
            *counts.entry(&survivor.origin.file).or_default() += 1;
        }
        let known = |file: &str| self.survive.get(file).copied().unwrap_or_default();
        let others = counts.into_iter().filter(|(file, found)| *found != known(file));
        others
            .map(|(file, found)| Other { file: file.to_string(), found, known: known(file) })
            .collect()
    }
}

impl Other {
    /// Whether more survive than the table has.
    pub(super) fn is_more(&self) -> bool {
        self.found > self.known
    }

    /// What to write into the table.
    pub(super) fn row(&self) -> String {
        let Other { file, found, known } = self;
        format!("\"{file}\" = {found}  # not {known}")
    }

    /// Those of `found` in this file.
    pub(super) fn of<'a>(&self, found: &'a [Survivor]) -> impl Iterator<Item = &'a Survivor> {
        found.iter().filter(|survivor| survivor.origin.file == self.file)
    }
}

impl Survivor {
    /// Describes `mutant`; `sources` has the text of files that were read already.
    pub(super) fn new(
        mutant: &Mutant,
        reach: Reach,
        root: &Path,
        sources: &mut Sources,
    ) -> Survivor {
        let mut text = |origin: &Origin| {
            let lines = sources.entry(origin.file.clone()).or_insert_with(|| {
                // A file that cannot be read has no text to show.
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
            within: mutant.is_own.then(|| mutant.within.clone()),
            reach,
            noticed_by: None,
        }
    }

    /// Where it is, and what was done to which line.
    pub(super) fn describe(&self) -> String {
        let Origin { file, line, function } = &self.origin;
        let within = self.within.as_deref().unwrap_or("programs");
        let within = if within == function { String::new() } else { format!(" in {within}") };
        let reached = match self.reach {
            Reach::Cells => "",
            Reach::Boot => "; at start-up only",
            Reach::Nothing => "; never executed",
        };
        let with = self.with.as_ref().map(|with| format!(" with `{with}`")).unwrap_or_default();
        let noticed = self.noticed_by.as_ref().map(|by| format!("; {by} notices it"));
        let (done, text) = (self.kind, &self.line);
        let noticed = noticed.unwrap_or_default();
        format!("{file}:{line}: {function}{within}: {done}: `{text}`{with}{reached}{noticed}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survivor(file: &str) -> Survivor {
        let origin = Origin { file: file.into(), line: 3, function: "f".into() };
        Survivor {
            kind: Kind::Deleted,
            origin,
            line: "x = 0;".into(),
            with: None,
            within: Some("f".into()),
            reach: Reach::Boot,
            noticed_by: None,
        }
    }

    #[test]
    fn a_file_with_another_number_is_named() {
        let table = "[survive]\n'os/a.c' = 1\n'os/b.c' = 2\n'os/c.c' = 1\n";
        let table: Survivors = toml::from_str(table).expect("well-formed");
        let found = ["os/a.c", "os/b.c", "os/b.c", "os/b.c", "os/d.c"].map(survivor);
        let others = table.others(&found);
        let rows: Vec<String> = others.iter().map(Other::row).collect();
        assert_eq!(
            rows,
            ["\"os/b.c\" = 3  # not 2", "\"os/c.c\" = 0  # not 1", "\"os/d.c\" = 1  # not 0"]
        );
        assert_eq!(others.iter().map(Other::is_more).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!((others[0].of(&found).count(), table.total()), (3, 4));
    }

    #[test]
    fn a_survivor_is_described_by_its_line() {
        let said = survivor("os/a.c").describe();
        assert_eq!(said, "os/a.c:3: f: deleted: `x = 0;`; at start-up only");
    }
}
