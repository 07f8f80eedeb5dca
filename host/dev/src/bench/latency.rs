// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is added to the latency of interrupts, over the tests that run on motes and over benchmarks.

use super::plan::Title;
use super::{BenchError, OnWork, Reading, Rig};
use crate::suite;
use lichen_chip::Time;
use lichen_test::latency::{self, Followed, Found, KERNEL_LEVEL, Latencies, Level};
use lichen_test::{Listener, Outcome, Suite, Verdict};
use lichen_world::World;
use serde::Deserialize;
use std::sync::Arc;

/// Latency that is added to interrupts: the worst of some runs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latency {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Programs of the group.
    pub programs: Vec<String>,
    /// Simulated seconds of each of their runs.
    #[serde(default = "super::plan::default_latency_seconds")]
    pub seconds: f64,
    /// Groups of `lichen test` whose programs count, too.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Programs of these groups, as `GROUP/NAME`, whose worst is printed beside the figure.
    #[serde(default)]
    pub apart: Vec<String>,
    /// What those programs are, in the plural.
    #[serde(default = "default_latency_apart")]
    pub apart_are: String,
}

fn default_latency_apart() -> String {
    "programs listed apart".to_string()
}

/// Receives latencies, and counts the tests that fail meanwhile.
struct Collector<'a, 'b> {
    all: Latencies,
    /// Of the programs that are listed here, by their labels.
    apart: (Latencies, Vec<String>),
    failed: u32,
    on_work: &'a mut (dyn FnMut(&str) + 'b),
}

impl Listener for Collector<'_, '_> {
    fn working(&mut self, _: &'static str, what: &str) {
        (self.on_work)(what);
    }

    fn outcome(&mut self, outcome: Outcome) {
        self.failed += u32::from(matches!(outcome.verdict, Verdict::Failed(_)));
    }

    fn figure(&mut self, _: &'static str, _: &str) {}

    fn latencies(&mut self, seen: &Latencies) {
        let is_apart = seen.worst().is_some_and(|worst| self.apart.1.contains(&worst.program));
        if is_apart { self.apart.0.merge(seen) } else { self.all.merge(seen) }
    }
}

impl Rig<'_> {
    /// The worst over the programs of this group and over groups of tests; then each level.
    pub(super) fn latency(
        &self,
        entry: &Latency,
        on_work: OnWork,
    ) -> Result<Vec<Reading>, BenchError> {
        let mut features = Vec::new();
        let mut all = Latencies::default();
        for program in &entry.programs {
            let parts = self.latencies_of(program, entry.seconds, &mut all, on_work)?;
            features.extend(parts);
        }
        let apart = (Latencies::default(), self.labels(&entry.apart));
        let mut collector = Collector { all, apart, failed: 0, on_work };
        for group in &entry.tests {
            let filter = Some(format!("{group}/{}", self.board.name));
            let folder = self.tree.root().to_path_buf();
            let suite = Suite {
                tree: self.tree,
                folder,
                filter,
                long: false,
                network: false,
                latency: true,
                verdicts: None,
            };
            suite::run(&suite, &mut collector);
        }
        let Collector { all, apart, failed, .. } = collector;
        if failed > 0 {
            let message = format!(
                "{failed} tests on motes fail, so that not all of them can be measured; \
                 ./lichen test names them"
            );
            return Err(self.wrong(message));
        }
        let worst = all.worst().ok_or_else(|| self.wrong("no interrupt was seen"))?;
        let value = worst.added as f64;
        let detail = format!("the worst: {worst}");
        let mut readings = vec![self.reading(entry.title(), value, "cycles", detail, features)?];
        for (number, level) in all.levels.iter().enumerate() {
            readings.extend(self.level(number, level)?);
        }
        readings.extend(self.start_up(all.start_up.as_ref())?);
        readings.extend(self.apart(&entry.apart_are, apart.0.worst())?);
        Ok(readings)
    }

    /// How listeners are told of these programs of groups on this board.
    fn labels(&self, programs: &[String]) -> Vec<String> {
        let parts = programs.iter().filter_map(|program| program.split_once('/'));
        parts.map(|(group, name)| format!("{group}/{}/{name}", self.board.name)).collect()
    }

    fn apart(&self, which: &str, worst: Option<&Found>) -> Result<Option<Reading>, BenchError> {
        let Some(worst) = worst else { return Ok(None) };
        let words = Some(Title::Beside(which.to_string()));
        let detail = format!("the worst: {worst}");
        self.reading(words, worst.added as f64, "cycles", detail, Vec::new()).map(Some)
    }

    /// Follows one program of the group.
    fn latencies_of(
        &self,
        program: &str,
        seconds: f64,
        all: &mut Latencies,
        on_work: OnWork,
    ) -> Result<Vec<String>, BenchError> {
        let (image, features) = self.build(program, on_work)?;
        let mut world = World::new();
        let mote = world.add(self.board.clone(), Arc::new(image))?;
        let followed = Followed::follow(&mut world, mote);
        latency::run(&mut world, Time::from_us((seconds * 1e6) as u64))?;
        all.merge(&followed.latencies(&world, &self.label(program)));
        Ok(features)
    }

    fn level(&self, number: usize, level: &Level) -> Result<Vec<Reading>, BenchError> {
        let beside = |words: String, value, detail| {
            self.reading(Some(Title::Beside(words)), value, "cycles", detail, Vec::new())
        };
        let kernel = if number == KERNEL_LEVEL { ", the kernel's own" } else { "" };
        let words = format!("level {number}{kernel}");
        let Some(worst) = &level.worst else { return Ok(Vec::new()) };
        let detail = format!("of {} interrupts; the worst: {worst}", level.served);
        let mut readings = vec![beside(words, worst.added as f64, detail)?];
        if let Some(queued) = &level.queued {
            let words = format!("level {number}, other handlers first");
            readings.push(beside(words, queued.queued as f64, queued.to_string())?);
        }
        Ok(readings)
    }

    fn start_up(&self, worst: Option<&Found>) -> Result<Option<Reading>, BenchError> {
        let Some(worst) = worst else { return Ok(None) };
        let words = Some(Title::Beside("requested during start-up".to_string()));
        let reading =
            self.reading(words, worst.added as f64, "cycles", worst.to_string(), Vec::new());
        reading.map(Some)
    }
}
