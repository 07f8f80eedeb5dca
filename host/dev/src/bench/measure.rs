// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cycles between two symbols of a program.

use super::plan::Pick;
use super::{BenchError, OnWork, Reading, Rig};
use crate::bare::{power_up, run_to_breakpoint};
use lichen_chip::Time;
use serde::Deserialize;

/// Cycles from one symbol to another.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measure {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Symbol at which counting begins.
    pub from: String,
    /// Whether the instruction there counts.
    #[serde(default)]
    pub begin: Begin,
    /// Symbol at which it ends.
    pub to: String,
    /// Which of the passes counts.
    pub pick: Pick,
    /// Passes that are counted.
    #[serde(default = "super::plan::default_passes")]
    pub passes: usize,
    /// Passes before them, in which the program settles.
    #[serde(default = "super::plan::default_skip")]
    pub skip: usize,
    /// Simulated seconds within which all of them must have happened.
    #[serde(default = "super::plan::default_seconds")]
    pub seconds: f64,
}

/// Where counting begins at its first symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Begin {
    /// Before the instruction is executed.
    #[default]
    Before,
    /// After it: for a store that requests an interrupt, at the request.
    After,
}

impl Rig<'_> {
    /// Counts the cycles of each pass from one symbol to the other.
    pub(super) fn measure(&self, entry: &Measure, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let from = self.address(&image, &entry.from)?;
        let to = self.address(&image, &entry.to)?;
        let mut chip = power_up(&self.board, &image).map_err(|what| self.wrong(what))?;
        chip.core_mut().set_breakpoint(from, true);
        chip.core_mut().set_breakpoint(to, true);
        let end = Time::from_us((entry.seconds * 1e6) as u64);
        let mut passes = Vec::new();
        let mut begun = None;
        while passes.len() < entry.skip + entry.passes {
            let Some(at) = run_to_breakpoint(chip.as_mut(), end) else { break };
            let cycle = chip.cycle().0;
            if at == to {
                passes.extend(begun.take().map(|begun| cycle - begun));
            }
            chip.core_mut().step(end);
            if at == from {
                let after = entry.begin == Begin::After;
                begun = Some(if after { chip.cycle().0 } else { cycle });
            }
        }
        let counted = passes.get(entry.skip..).unwrap_or_default();
        let complete = counted.len() == entry.passes;
        let picked = entry.pick.of(counted).filter(|_| complete).ok_or_else(|| {
            self.wrong(format!(
                "only {} passes from {} to {} in {} s of simulated time",
                passes.len(),
                entry.from,
                entry.to,
                entry.seconds
            ))
        })?;
        self.reading(entry.title(), picked as f64, "cycles", spread(entry, counted), features)
    }
}

/// The place of the passes, and what was counted.
fn spread(entry: &Measure, counted: &[u64]) -> String {
    let least = counted.iter().min().copied().unwrap_or(0);
    let most = counted.iter().max().copied().unwrap_or(0);
    format!("{} to {}, {} passes of {least} to {most}", entry.from, entry.to, counted.len())
}
