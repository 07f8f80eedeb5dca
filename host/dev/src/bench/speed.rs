// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many instructions the simulator executes in a second of processor time.

use super::{BenchError, OnWork, Reading, Rig, Stopwatch};
use crate::bare::{power_up, run_to_breakpoint};
use lichen_chip::Time;
use serde::Deserialize;

/// Instructions that the simulator executes in a second of real time.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Programs whose geometric mean counts.
    pub programs: Vec<String>,
    /// Programs that are measured in addition.
    #[serde(default)]
    pub apart: Vec<String>,
    /// Simulated seconds of each run.
    pub seconds: f64,
}

/// Runs of each program. The fastest counts: other work on this machine only ever slows one down.
const RUNS: usize = 5;

impl Rig<'_> {
    /// The geometric mean over the programs, then the programs reported separately.
    pub(super) fn speed(
        &self,
        entry: &Speed,
        stopwatch: Stopwatch,
        on_work: OnWork,
    ) -> Result<Vec<Reading>, BenchError> {
        let mut speeds = Vec::new();
        let mut features = Vec::new();
        for program in &entry.programs {
            let (speed, parts) = self.speed_of(program, entry.seconds, stopwatch, on_work)?;
            speeds.push((program.as_str(), speed));
            features.extend(parts);
        }
        features.sort();
        features.dedup();
        let mean = geometric_mean(speeds.iter().map(|(_, speed)| *speed));
        let mean = mean.ok_or_else(|| self.wrong("a [[speed]] needs programs"))?;
        let parts: Vec<String> =
            speeds.iter().map(|(program, speed)| format!("{program} {speed:.1}")).collect();
        let detail = format!("{}; the fastest of {RUNS} runs each", parts.join(", "));
        let mut readings = vec![self.reading(entry.title(), mean, "MIPS", detail, features)?];
        for program in &entry.apart {
            let (speed, parts) = self.speed_of(program, entry.seconds, stopwatch, on_work)?;
            let title = Some(super::Title::Beside(format!("{program}, apart")));
            readings.push(self.reading(title, speed, "MIPS", String::new(), parts)?);
        }
        Ok(readings)
    }

    /// Millions of instructions a second of the fastest run.
    fn speed_of(
        &self,
        program: &str,
        seconds: f64,
        stopwatch: Stopwatch,
        on_work: OnWork,
    ) -> Result<(f64, Vec<String>), BenchError> {
        let (image, features) = self.build(program, on_work)?;
        let length = Time::from_us((seconds * 1e6) as u64);
        let mut fastest: f64 = 0.0;
        for _ in 0..RUNS {
            let mut chip = power_up(&self.board, &image).map_err(|what| self.wrong(what))?;
            let before = stopwatch();
            run_to_breakpoint(chip.as_mut(), length);
            let elapsed = stopwatch().saturating_sub(before);
            if chip.now() < length {
                return Err(self.wrong(format!("{program} locks up")));
            }
            if chip.time_asleep() > length / 10 {
                return Err(self.wrong(format!("{program} sleeps; its speed means nothing")));
            }
            fastest = fastest.max(chip.instructions() as f64 / elapsed.as_secs_f64() / 1e6);
        }
        Ok((fastest, features))
    }
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = values.len();
    (count > 0).then(|| (values.map(f64::ln).sum::<f64>() / count as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_is_geometric() {
        let mean = geometric_mean([100.0, 400.0].into_iter()).expect("two values");
        assert!((mean - 200.0).abs() < 1e-9);
        assert_eq!(geometric_mean([].into_iter()), None);
    }
}
