// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether what one part of a program says comes to the part that it is said to.

use super::motes::{seconds, visit};
use super::{BenchError, Nobody, OnWork, Reading, Rig};
use lichen_image::Image;
use serde::Deserialize;
use std::sync::Arc;

/// What a part of a program says, and another one should take.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lost {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// What other motes run, all in reach of each other.
    #[serde(default)]
    pub with: Vec<String>,
    /// Simulated seconds of the run, at whose end nothing is under way.
    pub seconds: f64,
    /// What is passed on.
    pub of: Vec<Passed>,
}

/// Something that is passed on.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passed {
    /// What it is, in the plural.
    pub what: String,
    /// Symbols each of which is reached once when something is said.
    pub said: Vec<String>,
    /// Symbols each of which is reached once when something is taken.
    pub taken: Vec<String>,
    /// So many must be said, or the run has shown nothing.
    pub least: u32,
    /// And so many must wait at some time.
    pub waiting: u32,
}

/// Something that is passed on, and how often it was.
struct Count<'a> {
    passed: &'a Passed,
    said_at: Vec<u32>,
    taken_at: Vec<u32>,
    said: i64,
    taken: i64,
    /// That waited at a time.
    most: i64,
}

impl Count<'_> {
    fn note(&mut self, pc: u32) {
        self.said += i64::from(self.said_at.contains(&pc));
        self.taken += i64::from(self.taken_at.contains(&pc));
        self.most = self.most.max(self.said - self.taken);
    }

    /// What the plan wants, and what has not happened.
    fn mistake(&self) -> Option<String> {
        let Passed { what, said, waiting, least, .. } = self.passed;
        if self.said < i64::from(*least) {
            let said = said.join(", ");
            Some(format!("{what}: {said} was reached {} times, not {least}", self.said))
        } else if self.taken > self.said {
            Some(format!("{what}: {} were taken, but {} said", self.taken, self.said))
        } else if self.most < i64::from(*waiting) {
            Some(format!("{what}: at most {} waited, not {waiting}", self.most))
        } else {
            None
        }
    }
}

impl Rig<'_> {
    /// What was said and not taken, by the end of the run.
    pub(super) fn lost(&self, entry: &Lost, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let others = self.others(&entry.with, on_work)?;
        let counts = entry.of.iter().map(|passed| self.count(passed, &image));
        let mut counts = counts.collect::<Result<Vec<Count<'_>>, BenchError>>()?;
        let addresses = counts.iter().flat_map(|count| [&count.said_at, &count.taken_at]);
        let addresses: Vec<u32> = addresses.flatten().copied().collect();
        let (mut world, mote) = others.world(Arc::new(image))?;
        let end = seconds(entry.seconds);
        visit(&mut world, mote, &addresses, end, &mut Nobody, &mut |pc, _| {
            counts.iter_mut().for_each(|count| count.note(pc));
        })?;
        if let Some(mistake) = counts.iter().find_map(Count::mistake) {
            return Err(self.wrong(mistake));
        }
        let lost: i64 = counts.iter().map(|count| count.said - count.taken).sum();
        let words = counts.iter().map(|Count { passed, said, taken, most, .. }| {
            format!("{} said {said}, taken {taken}, at most {most} waiting", passed.what)
        });
        let detail = words.collect::<Vec<_>>().join("; ");
        self.reading(entry.title(), lost as f64, "events", detail, features)
    }

    fn count<'a>(&self, passed: &'a Passed, image: &Image) -> Result<Count<'a>, BenchError> {
        let all = |names: &[String]| -> Result<Vec<u32>, BenchError> {
            names.iter().map(|name| self.address(image, name)).collect()
        };
        let (said_at, taken_at) = (all(&passed.said)?, all(&passed.taken)?);
        Ok(Count { passed, said_at, taken_at, said: 0, taken: 0, most: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake_after(pcs: &[u32], waiting: u32) -> Option<String> {
        let passed = Passed {
            what: "frames".to_string(),
            said: vec!["says".to_string()],
            taken: vec!["takes".to_string()],
            waiting,
            least: 2,
        };
        let (said_at, taken_at) = (vec![1], vec![2]);
        let mut count = Count { passed: &passed, said_at, taken_at, said: 0, taken: 0, most: 0 };
        pcs.iter().for_each(|pc| count.note(*pc));
        count.mistake()
    }

    #[test]
    fn a_count_that_shows_nothing_is_a_mistake() {
        assert_eq!(mistake_after(&[1, 1, 2, 1], 2), None);
        assert!(mistake_after(&[1], 0).is_some_and(|said| said.contains("1 times, not 2")));
        assert!(
            mistake_after(&[1, 2, 1, 2, 2], 0).is_some_and(|said| said.contains("3 were taken"))
        );
        assert!(mistake_after(&[1, 2, 1], 2).is_some_and(|said| said.contains("at most 1")));
    }
}
