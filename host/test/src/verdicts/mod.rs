// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verdicts of earlier runs. A run is deterministic: as long as nothing that it reads has changed, its verdict is known.
//! [`Inputs`] are what it reads.
//!
//! A verdict is a file below `build/verdicts`, with the name of the test and the hash of its inputs. Only a test that
//! passed has one: what failed is run again. A file that is damaged, or of other inputs, is ignored. The newest few of a
//! test are kept, so that who goes back to another branch finds them.

mod code;
mod inputs;

pub use code::Code;
pub use inputs::Inputs;

use crate::latency::Latencies;
use crate::{Context, Listener, Outcome, Verdict};
use lichen_project::Tree;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::SystemTime;
use xxhash_rust::xxh3::xxh3_128;

/// Changes with the form of the files.
const FORM: u32 = 1;
/// How many verdicts of a test are kept.
const KEPT: usize = 4;

/// The verdicts that are kept for a tree.
#[derive(Debug)]
pub struct Verdicts {
    folder: PathBuf,
    /// Whether those of earlier runs are taken; if not, they are replaced.
    takes: bool,
    /// When the running program was made. It is not made of sources that are newer.
    made: Option<SystemTime>,
    /// The same of the command that some tests call.
    command: Option<SystemTime>,
    /// Hashes of code, each found once: what runs does not change meanwhile.
    codes: Mutex<BTreeMap<Code, Option<u128>>>,
}

/// What a test said, and what it was of use for.
#[derive(Serialize, Deserialize)]
struct Kept<R> {
    form: u32,
    inputs: String,
    said: Vec<Said>,
    result: R,
}

/// What a test that passed tells a listener.
#[derive(Clone, Serialize, Deserialize)]
enum Said {
    /// A test with this name passed.
    Passed(String),
    Figure(String),
    Latencies(Box<Latencies>),
}

impl Verdicts {
    /// Those of `tree`, for the program that was made at `made`, and the command that was at `command`. If they are not
    /// wanted, `fresh`, only new ones are written.
    pub fn of(
        tree: &Tree,
        made: Option<SystemTime>,
        command: Option<SystemTime>,
        fresh: bool,
    ) -> Verdicts {
        let folder = tree.path("build/verdicts");
        Verdicts { folder, takes: !fresh, made, command, codes: Mutex::default() }
    }

    /// The file of a test with inputs of this hash.
    fn file(&self, group: &str, name: &str, long: bool, digest: &str) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
        let stem: String = name.chars().map(plain).take(100).collect();
        let hash = xxh3_128(name.as_bytes()) as u32;
        let long = if long { "long" } else { "" };
        self.folder.join(group).join(format!("{stem}-{hash:08x}{long}-{digest}"))
    }
}

/// The content of `file`, if it is whole and of `inputs`.
fn read<R: DeserializeOwned>(file: &Path, inputs: &str) -> Option<Kept<R>> {
    let text = std::fs::read_to_string(file).ok()?;
    let (sum, text) = text.split_once('\n')?;
    if sum != format!("{:032x}", xxh3_128(text.as_bytes())) {
        return None;
    }
    let kept: Kept<R> = serde_json::from_str(text).ok()?;
    (kept.form == FORM && kept.inputs == inputs).then_some(kept)
}

/// Writes `file` whole or not at all. What cannot be kept is run again: no error.
fn write<R: Serialize>(file: &Path, kept: &Kept<R>) {
    let Ok(text) = serde_json::to_string(kept) else { return };
    let text = format!("{:032x}\n{text}", xxh3_128(text.as_bytes()));
    let folder = file.parent().unwrap_or(file);
    let partial = file.with_extension(format!("{}.partial", std::process::id()));
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&partial, text))
        .and_then(|()| std::fs::rename(&partial, file));
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
}

/// Removes all but the newest verdicts of the test of `file`.
fn forget_oldest(file: &Path) {
    let of = |file: &Path| {
        let name = file.file_name()?.to_str()?;
        name.rsplit_once('-').map(|(test, _)| test.to_string())
    };
    let mut files = crate::entries(file.parent().unwrap_or(file));
    files.retain(|other| of(other) == of(file));
    files.sort_by_key(|file| file.metadata().and_then(|it| it.modified()).ok());
    for old in files.iter().rev().skip(KEPT) {
        let _ = std::fs::remove_file(old);
    }
}

impl Context<'_> {
    /// Does `work` and tells `listener` what it says, or what it said when its inputs were the same; then the outcomes
    /// are old. `work` must say the same whatever the filter is: outcomes that are not requested are left out here.
    pub fn remembering<R: Clone + Default + Serialize + DeserializeOwned>(
        &self,
        inputs: &Inputs<'_>,
        listener: &mut dyn Listener,
        work: impl FnOnce(&mut dyn Listener) -> R,
    ) -> R {
        let before = self.place_of(inputs);
        if let Some((_, file, digest)) = before.as_ref().filter(|(verdicts, ..)| verdicts.takes)
            && let Some(kept) = read::<R>(file, digest)
        {
            let all = inputs.is_filtered;
            kept.said.into_iter().for_each(|said| self.repeat(said, all, listener));
            return kept.result;
        }
        let said = Some(Vec::new());
        let mut recorder = Recorder { context: self, all: inputs.is_filtered, listener, said };
        let result = work(&mut recorder);
        let said = recorder.said.filter(|said| !said.is_empty());
        if let (Some((verdicts, file, digest)), Some(said)) = (before, said) {
            // What was changed meanwhile may have been read before or after.
            if inputs.digest(verdicts).as_ref() == Some(&digest) {
                write(&file, &Kept { form: FORM, inputs: digest, said, result: result.clone() });
                forget_oldest(&file);
            }
        }
        result
    }

    /// Whether the verdict of a run with these inputs is known, so that `remembering` does no work.
    pub fn knows(&self, inputs: &Inputs<'_>) -> bool {
        let place = self.place_of(inputs).filter(|(verdicts, ..)| verdicts.takes);
        place.is_some_and(|(_, file, digest)| {
            read::<serde::de::IgnoredAny>(&file, &digest).is_some()
        })
    }

    /// The file of a run with these inputs, and the hash of them; none if no verdicts are kept.
    fn place_of(&self, inputs: &Inputs<'_>) -> Option<(&Verdicts, PathBuf, String)> {
        let verdicts = self.suite.verdicts.as_ref()?;
        let digest = inputs.digest(verdicts)?;
        let file = verdicts.file(self.group, inputs.name(), self.suite.long, &digest);
        Some((verdicts, file, digest))
    }

    fn repeat(&self, said: Said, all: bool, listener: &mut dyn Listener) {
        match said {
            Said::Passed(name) if all || self.wants(&name) => {
                let (group, verdict) = (self.group, Verdict::Passed);
                listener.outcome(Outcome { group, name, verdict, is_old: true });
            }
            Said::Passed(_) => {}
            Said::Figure(line) => listener.figure(self.group, &line),
            Said::Latencies(seen) => listener.latencies(&seen),
        }
    }
}

/// Notes what is said; nothing is kept once a test has not passed.
struct Recorder<'a, 'b> {
    context: &'a Context<'b>,
    /// Whether all outcomes are requested.
    all: bool,
    listener: &'a mut dyn Listener,
    said: Option<Vec<Said>>,
}

impl Recorder<'_, '_> {
    fn note(&mut self, said: Said) {
        if let Some(all) = &mut self.said {
            all.push(said);
        }
    }
}

impl Listener for Recorder<'_, '_> {
    fn working(&mut self, group: &'static str, what: &str) {
        self.listener.working(group, what);
    }

    fn outcome(&mut self, outcome: Outcome) {
        match outcome.verdict {
            Verdict::Passed => self.note(Said::Passed(outcome.name.clone())),
            Verdict::Failed(_) | Verdict::Skipped(_) => self.said = None,
        }
        if self.all || self.context.wants(&outcome.name) {
            self.listener.outcome(outcome);
        }
    }

    fn figure(&mut self, group: &'static str, line: &str) {
        self.note(Said::Figure(line.to_string()));
        self.listener.figure(group, line);
    }

    fn latencies(&mut self, seen: &Latencies) {
        self.note(Said::Latencies(Box::new(seen.clone())));
        self.listener.latencies(seen);
    }
}

#[cfg(test)]
mod tests;
