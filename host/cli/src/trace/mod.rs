// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen trace`: every instruction between two marks, with its cycles.

mod tracer;

use crate::watched::{Watched, WatchedMote};
use clap::Args;
use lichen_image::Image;
use lichen_project::Place;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::{Files, OutputFile, Overwrite, STANDARD};
use lichen_terminal::lock::lock;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tracer::{Marks, State, Tracer};

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen trace blink --from led_toggle --to sleep_until_us
  lichen trace echo --input typed.txt --from SERCOM0_handler --to 0x1f4

A mark is a function, or an address such as 0x1f4. A function that has become part of others, as small ones
do, begins in each of them. The trace begins where --from is first executed, ends before --to is executed, and
includes interrupts. Each line has the cycles since the beginning, the cycles of the step, the active interrupt,
place and instruction.

At most --limit lines are written; cycles are counted to the end in any case. Exit code 1 if
one of the marks is not reached.";

/// Options of `trace`.
#[derive(Debug, Args)]
pub struct Options {
    /// What to run, and how.
    #[command(flatten)]
    pub mote: WatchedMote,
    /// Function or address at which the trace begins.
    #[arg(long, value_name = "MARK")]
    pub from: String,
    /// Function or address before which it ends.
    #[arg(long, value_name = "MARK")]
    pub to: String,
    /// Write the lines to this file instead of the standard output.
    #[arg(long, value_name = "FILE")]
    pub output: Option<OutputFile>,
    /// What may be overwritten.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Most lines to write.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub limit: u64,
}

/// Runs a program and prints what it executes between the marks.
pub fn trace(options: &Options, files: Files, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let mut watched = Watched::new(&here, &options.mote, files, screen)?;
    let marks = Marks {
        from: mark(watched.image(), &options.from)?,
        to: mark(watched.image(), &options.to)?,
    };
    let file = options.output.as_ref().filter(|file| file.as_os_str() != STANDARD);
    let file = file.map(|file| here.path(file));
    let writer = writer(file.as_deref())?;
    let tracer = Tracer::new(Arc::clone(watched.image()), marks, writer, options.limit);
    let tracer = Arc::new(Mutex::new(tracer));
    watched.observe(tracer.clone());
    watched.run_while(|| !lock(&tracer).is_over())?;
    let mut tracer = lock(&tracer);
    tracer.finish().map_err(|error| {
        let place = file.unwrap_or_else(|| PathBuf::from("standard output"));
        Failure::wrong(format!("the trace is incomplete: {error}"))
            .at(Place::file(place))
            .remedy("what was written before remains; is the disk full?")
    })?;
    watched.check_power()?;
    conclude(options, &tracer, &watched)
}

/// Where lines go.
fn writer(file: Option<&Path>) -> Result<Box<dyn Write + Send>, Failure> {
    let Some(file) = file else { return Ok(Box::new(std::io::stdout())) };
    let made = File::create(file).map_err(|error| {
        Failure::wrong(format!("cannot be made: {error}"))
            .at(Place::file(file))
            .remedy("does the folder exist, and may you write there?")
    })?;
    Ok(Box::new(BufWriter::new(made)))
}

/// The addresses of a mark.
fn mark(image: &Image, text: &str) -> Result<BTreeSet<u32>, Failure> {
    if let Some(digits) = text.strip_prefix("0x") {
        let address = u32::from_str_radix(digits, 16).map_err(|_| {
            Failure::wrong(format!("`{text}` is not an address; write it like 0x1f4"))
        })?;
        return Ok(BTreeSet::from([address & !1]));
    }
    let entries = image.entries(text);
    if entries.is_empty() {
        return Err(Failure::wrong(format!("the image has no function `{text}`"))
            .at(Place::file(image.name()))
            .remedy(
                "it may be misspelt, or no code may be left of it: `nm` lists functions, and an \
                 address (0x1f4) works, too",
            ));
    }
    Ok(entries)
}

/// Reports the trace's sums.
fn conclude(options: &Options, tracer: &Tracer, watched: &Watched) -> Result<Code, Failure> {
    let missing = |mark: &str, what: &str| {
        Failure::failed(format!("`{mark}` is not executed{what} in {} s", watched.now()))
            .at(Place::file(watched.image().name()))
            .remedy("run for longer (--for), or give the mote input that leads there (--input)")
    };
    match tracer.state() {
        State::Before => return Err(missing(&options.from, "")),
        State::Between => return Err(missing(&options.to, &format!(" after `{}`", options.from))),
        State::Over => {}
    }
    let left = tracer.instructions().saturating_sub(options.limit);
    if left > 0 {
        out!("... and more than the limit of {} lines: --limit N", options.limit);
    }
    let (instructions, cycles) = (tracer.instructions(), tracer.cycles());
    out!("{instructions} instructions, {cycles} cycles from {} to {}", options.from, options.to);
    Ok(Code::Done)
}
