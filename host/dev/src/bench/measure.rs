// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cycles between two symbols of a program.

use super::plan::Pick;
use super::{BenchError, OnWork, Reading, Rig};
use lichen_board::Board;
use lichen_chip::{Chip, Input, Level, Stop, Time};
use lichen_image::Image;
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

/// A powered chip with an image; nothing is typed at its console, nothing else is connected to its
/// pins.
pub(super) fn power_up(board: &Board, image: &Image) -> Result<Box<dyn Chip>, String> {
    let chip = lichen_chip::by_part(&board.chip, &board.config());
    let mut chip = chip.map_err(|error| error.to_string())?;
    for segment in image.segments() {
        chip.program(segment.address, &segment.bytes).map_err(|error| error.to_string())?;
    }
    chip.power_on();
    if let Some(console) = &board.console {
        // An idle serial line is high; a floating one would be noise.
        chip.input(Input::Pin { pin: console.rx.pin.0, level: Level::High });
    }
    Ok(chip)
}

/// Runs until `until`, or to a breakpoint, whose address is returned.
pub(super) fn run_to_breakpoint(chip: &mut dyn Chip, until: Time) -> Option<u32> {
    let mut outputs = Vec::new();
    while chip.now() < until {
        match chip.run(until) {
            Stop::Breakpoint => return Some(chip.core().pc()),
            Stop::Output => {
                chip.take_outputs(&mut outputs);
                outputs.clear();
            }
            Stop::Reached => {}
            Stop::Lockup => return None,
        }
    }
    None
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
