// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that are linked, installed and started on a mote.

use super::{BenchError, OnWork, Reading, Rig};
use crate::bare::{power_up, run_to_breakpoint};
use lichen_chip::{Chip, Stop, Time};
use lichen_image::Image;
use lichen_key::Key;
use lichen_project::interface::Interface;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::ops::Range;

/// A container is put into the memory of a mote, which installs it and starts the program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the image, beside the file.
    pub program: String,
    /// Folder of the program that is loaded, in the tree.
    pub loaded: String,
    /// The image's key, a file in its folder.
    pub key: String,
    /// Whether the flash for programs and their directory has been written before; otherwise the program was installed and
    /// removed before, and the loader has erased its pages.
    #[serde(default)]
    pub written: bool,
    /// What is measured.
    #[serde(default)]
    pub of: Of,
}

/// What is measured of a program that is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    /// From the first byte of the container to the program's first instruction.
    #[default]
    Time,
    /// From the call that starts what is installed to that instruction.
    Start,
    /// What a call by the program takes beyond a direct one.
    Call,
}

/// Symbols of the image.
const BEGIN: &str = "load_begin";
const END: &str = "load_end";
const START: &str = "run_start";
const CONTAINER: &str = "container";
const LENGTH: &str = "container_bytes";
const ERROR: &str = "load_error";

/// Within which all of it happens.
const SIMULATED: Time = Time::from_us(3_000_000);
/// Within which a program makes the calls that are looked at, after its first instruction.
const CALLING: Time = Time::from_us(3_000_000);
/// After so many instructions outside the program that reach no call, it was none but an interrupt.
const DETOUR: u32 = 64;

/// When the program ran for the first time.
struct Ran {
    /// From the first byte.
    took: Time,
    /// Cycles from the start of what is installed.
    start: u64,
}

/// Executes an instruction, or sleeps; false at the end.
fn step(chip: &mut dyn Chip, end: Time) -> bool {
    let mut outputs = Vec::new();
    let stop = chip.core_mut().step(end);
    chip.take_outputs(&mut outputs);
    chip.now() < end && stop != Stop::Lockup
}

impl Rig<'_> {
    /// Loads the program of `entry`, and measures.
    pub(super) fn load(&self, entry: &Load, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let file = self.tree.path(self.label(&entry.program)).join(&entry.key);
        let key = Key::read(&file).map_err(|error| self.wrong(error.to_string()))?;
        let packed = self.packed(&entry.loaded, Some(&key), on_work)?;
        on_work(&format!("loading {}", packed.header.name));
        let programs =
            self.address(&image, "programs_begin")?..self.address(&image, "programs_end")?;
        let mut chip = power_up(&self.board, &image).map_err(|what| self.wrong(what))?;
        let chip = chip.as_mut();
        if entry.written {
            self.write_all(chip, &image, &programs)?;
        }
        self.run_to_begin(chip, &image)?;
        self.put(chip, &image, &packed.bytes)?;
        if !entry.written {
            step(chip, SIMULATED);
            self.run_to_begin(chip, &image)?;
        }
        let ran = self.run_loaded(chip, &image, &programs)?;
        let (name, bytes) = (&packed.header.name, packed.bytes.len());
        let (value, unit, detail) = match entry.of {
            Of::Time => {
                let pages = if entry.written { "written" } else { "erased" };
                let detail = format!("{name}, {bytes} bytes, {pages} pages");
                ((ran.took.as_s() * 1e5).round() / 100.0, "ms", detail)
            }
            Of::Start => (ran.start as f64, "cycles", format!("{name}, from {START}")),
            Of::Call => {
                let calls = self.calls(chip, &image, &programs)?;
                let worst = calls.iter().max().copied();
                let worst = worst.ok_or_else(|| self.wrong(format!("{name} calls nothing")))?;
                (worst as f64, "cycles", format!("{name}, the worst of {} calls", calls.len()))
            }
        };
        self.reading(entry.title(), value, unit, detail, features)
    }

    /// Leaves no page for programs or their directory erased.
    fn write_all(
        &self,
        chip: &mut dyn Chip,
        image: &Image,
        programs: &Range<u32>,
    ) -> Result<(), BenchError> {
        let page = 256;
        let directory = self.address(image, "programs_directory")?;
        for range in [programs.clone(), directory..directory + 2 * page] {
            let zeros = vec![0; range.len()];
            chip.program(range.start, &zeros).map_err(|error| self.wrong(error.to_string()))?;
        }
        Ok(())
    }

    /// Puts the container where the image looks for it: in flash, or in RAM.
    fn put(&self, chip: &mut dyn Chip, image: &Image, bytes: &[u8]) -> Result<(), BenchError> {
        let place = image.symbols().find(CONTAINER);
        let place = place.ok_or_else(|| self.wrong(format!("there is no `{CONTAINER}`")))?;
        if bytes.len() > place.size as usize {
            let message = format!("{} bytes do not fit into `{CONTAINER}`", bytes.len());
            return Err(self.wrong(message));
        }
        let length = (bytes.len() as u16).to_le_bytes();
        for (address, bytes) in [(place.address, bytes), (self.variable(image, LENGTH)?, &length)] {
            chip.program(address, bytes).map_err(|error| self.wrong(error.to_string()))?;
        }
        Ok(())
    }

    fn run_to_begin(&self, chip: &mut dyn Chip, image: &Image) -> Result<(), BenchError> {
        let begin = self.address(image, BEGIN)?;
        chip.core_mut().set_breakpoint(begin, true);
        run_to_breakpoint(chip, SIMULATED)
            .ok_or_else(|| self.wrong(format!("{BEGIN} is not reached")))?;
        chip.core_mut().set_breakpoint(begin, false);
        Ok(())
    }

    fn variable(&self, image: &Image, name: &str) -> Result<u32, BenchError> {
        let found = image.symbols().find(name).map(|symbol| symbol.address);
        found.ok_or_else(|| self.wrong(format!("there is no variable `{name}`")))
    }

    /// Runs to the program's first instruction.
    fn run_loaded(
        &self,
        chip: &mut dyn Chip,
        image: &Image,
        programs: &Range<u32>,
    ) -> Result<Ran, BenchError> {
        let (start, end) = (self.address(image, START)?, self.address(image, END)?);
        let (begun, mut started) = (chip.now(), None);
        while step(chip, SIMULATED) {
            let pc = chip.core().pc();
            if pc == start {
                started = Some(chip.cycle().0);
            } else if pc == end {
                self.expect_loaded(chip, image)?;
            }
            if programs.contains(&pc) {
                let started = started.ok_or_else(|| self.wrong(format!("no {START}")))?;
                return Ok(Ran { took: chip.now() - begun, start: chip.cycle().0 - started });
            }
        }
        Err(self.wrong("the program that was loaded does not run"))
    }

    fn expect_loaded(&self, chip: &dyn Chip, image: &Image) -> Result<(), BenchError> {
        let mut error = [0];
        let place = self.variable(image, ERROR)?;
        chip.peek(place, &mut error).map_err(|error| self.wrong(error.to_string()))?;
        match error[0] {
            0 => Ok(()),
            error => Err(self.wrong(format!("the container is refused: error {error}"))),
        }
    }

    /// Cycles beyond a direct call, of each call by the program: from the first instruction that is executed outside it to
    /// the first one of the function.
    fn calls(
        &self,
        chip: &mut dyn Chip,
        image: &Image,
        programs: &Range<u32>,
    ) -> Result<Vec<u64>, BenchError> {
        let interface =
            Interface::read(self.tree).map_err(|error| self.wrong(error.to_string()))?;
        let names = interface.groups.iter().flat_map(|group| &group.calls);
        let symbols = names.filter_map(|call| image.symbols().find(&call.name));
        let functions: BTreeSet<u32> = symbols.map(|symbol| symbol.address & !1).collect();
        let end = chip.now() + CALLING;
        let (mut calls, mut left) = (Vec::new(), None);
        while step(chip, end) {
            let (pc, cycle) = (chip.core().pc(), chip.cycle().0);
            if programs.contains(&pc) {
                left = Some((cycle, DETOUR));
                continue;
            }
            let Some((last, steps)) = left.take() else { continue };
            // Of the first instruction outside on, not of the call itself.
            let first = if steps == DETOUR { cycle } else { last };
            if functions.contains(&pc) {
                calls.push(cycle - first);
            } else if steps > 1 {
                left = Some((first, steps - 1));
            }
        }
        Ok(calls)
    }
}
