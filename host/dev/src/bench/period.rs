// SPDX-License-Identifier: MIT OR Apache-2.0
//! Active periods: from a wake-up out of the deepest sleep to the next one, and what they consist of.

use super::{BenchError, OnWork, Reading, Rig, code};
use crate::bare::{power_up, run_to_breakpoint};
use lichen_chip::{Chip, Output, Stop, Time};
use lichen_image::Image;
use serde::Deserialize;
use std::sync::Arc;

/// Active periods of a program that sleeps periodically.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Symbol after which they count.
    pub from: String,
    /// What of them is the value.
    #[serde(default)]
    pub of: Of,
    /// The sleep mode in which they begin and end.
    pub sleep: String,
    /// What the hardware takes from the cause of the wake-up to the processor's first cycle, which
    /// the simulator counts as sleep, microseconds.
    pub wake_us: f64,
    /// Beginnings of the files, from the tree's root, that manage timers.
    #[serde(default)]
    pub timer: Vec<String>,
    /// Functions that wait for the other clock domain.
    #[serde(default)]
    pub waits: Vec<String>,
    /// Periods that are counted.
    #[serde(default = "super::plan::default_passes")]
    pub passes: usize,
    /// Simulated seconds within which all of them must have happened.
    #[serde(default = "super::plan::default_seconds")]
    pub seconds: f64,
}

/// What of active periods is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// Their mean length.
    #[default]
    Length,
    /// The share of timer management.
    Timer,
    /// The mean number of times that the processor waits for the other clock domain.
    Waits,
}

/// An access to a peripheral that stalls the bus for longer than this waits for another clock domain.
const LONG_STALL: Time = Time::from_us(50);

/// One active period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Active {
    /// From the processor's first cycle to the instruction that sleeps.
    length: Time,
    /// In which it executes, or its accesses stall.
    awake: Time,
    /// In which code of the named files executes, or the processor sleeps lightly.
    timer: Time,
    /// Times that it has waited for the other clock domain.
    waits: u32,
}

/// What instructions are counted as.
struct Codes {
    /// They are of the files of timers.
    timer: code::Codes,
    /// They begin functions that wait.
    waits: Vec<u32>,
}

/// What the chip reports of its sleep.
enum Sleep {
    Sleeps(&'static str),
    Wakes,
}

/// The changes of sleep that the chip has reported.
fn sleeps(chip: &mut dyn Chip) -> Vec<Sleep> {
    let mut outputs = Vec::new();
    chip.take_outputs(&mut outputs);
    let change = |output: Output| match output {
        Output::Sleep { mode } => Some(Sleep::Sleeps(mode)),
        Output::Wake { .. } => Some(Sleep::Wakes),
        _ => None,
    };
    outputs.into_iter().filter_map(|stamped| change(stamped.what)).collect()
}

/// Runs until the chip has woken, or fails to by `end`.
fn run_to_wake(chip: &mut dyn Chip, end: Time) -> Option<()> {
    while chip.now() < end {
        if chip.run(end) == Stop::Lockup {
            return None;
        }
        if sleeps(chip).iter().any(|sleep| matches!(sleep, Sleep::Wakes)) {
            return Some(());
        }
    }
    None
}

/// Runs, from awake, until the chip sleeps in `mode`, and counts.
fn run_active(chip: &mut dyn Chip, codes: &mut Codes, mode: &str, end: Time) -> Option<Active> {
    let mut active = Active::default();
    let begin = chip.now();
    while chip.now() < end {
        let pc = chip.core().pc();
        let is_timer = codes.timer.of(pc).is_some();
        active.waits += u32::from(codes.waits.contains(&pc));
        let before = chip.now();
        if chip.core_mut().step(end) == Stop::Lockup {
            return None;
        }
        let took = chip.now() - before;
        active.awake += took;
        active.timer += if is_timer { took } else { Time::ZERO };
        active.waits += u32::from(took > LONG_STALL);
        let mut asleep = false;
        for sleep in sleeps(chip) {
            match sleep {
                Sleep::Sleeps(deepest) if deepest == mode => {
                    active.length = chip.now() - begin;
                    return Some(active);
                }
                Sleep::Sleeps(_) => asleep = true,
                Sleep::Wakes => asleep = false,
            }
        }
        if asleep {
            let slept = chip.now();
            run_to_wake(chip, end)?;
            active.timer += chip.now() - slept;
            active.waits += 1;
        }
    }
    None
}

impl Rig<'_> {
    /// Measures the periods of a program that sleeps periodically.
    pub(super) fn period(&self, entry: &Period, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let passes = self.passes(entry, &Arc::new(image))?;
        let count = passes.len() as f64;
        let total = |of: fn(&Active) -> Time| -> f64 {
            passes.iter().map(|active| of(active).as_s()).sum()
        };
        let hardware = entry.wake_us / 1e6;
        let length = total(|active| active.length) + hardware * count;
        let (value, unit) = match entry.of {
            Of::Length => (length / count * 1e3, "ms"),
            Of::Timer => (total(|active| active.timer) / length * 100.0, "percent"),
            Of::Waits => {
                let waits: u32 = passes.iter().map(|active| active.waits).sum();
                (f64::from(waits) / count, "accesses")
            }
        };
        let detail = format!(
            "{} wake-ups, the mean: {:.1} us to start, {:.1} us awake, {:.1} us in a light sleep",
            passes.len(),
            entry.wake_us,
            total(|active| active.awake) / count * 1e6,
            total(|active| active.length - active.awake) / count * 1e6,
        );
        self.reading(entry.title(), value, unit, detail, features)
    }

    fn passes(&self, entry: &Period, image: &Arc<Image>) -> Result<Vec<Active>, BenchError> {
        let from = self.address(image, &entry.from)?;
        let waits = entry.waits.iter().filter_map(|name| image.symbols().find(name));
        let waits = waits.map(|symbol| symbol.address & !1).collect();
        let timer = code::Codes::new(Arc::clone(image), entry.timer.clone());
        let mut codes = Codes { timer, waits };
        let mut chip = power_up(&self.board, image).map_err(|what| self.wrong(what))?;
        let chip = chip.as_mut();
        let end = Time::from_us((entry.seconds * 1e6) as u64);
        chip.core_mut().set_breakpoint(from, true);
        let missing = || {
            let (program, seconds) = (&entry.program, entry.seconds);
            self.wrong(format!("{program} has not slept and woken often enough in {seconds} s"))
        };
        run_to_breakpoint(chip, end).ok_or_else(missing)?;
        chip.core_mut().set_breakpoint(from, false);
        run_active(chip, &mut codes, &entry.sleep, end).ok_or_else(missing)?;
        let mut passes = Vec::new();
        while passes.len() < entry.passes {
            run_to_wake(chip, end).ok_or_else(missing)?;
            passes.push(run_active(chip, &mut codes, &entry.sleep, end).ok_or_else(missing)?);
        }
        Ok(passes)
    }
}
