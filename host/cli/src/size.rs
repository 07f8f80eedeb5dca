// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen size`: the size of every combination of kinds of work, by section.

use crate::build::{build_program, print_table as print_sections, stack_object};
use lichen_build::kinds::{self, Combination};
use lichen_build::size::{Row, Sizes};
use lichen_build::stack::{KernelStack, Part};
use lichen_project::{DEFAULT_BOARD, Program, default_board};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};
use serde_json::json;

/// Examples below the options.
pub const HELP: &str = "\
Examples:
  lichen size
  lichen size --board samr21-xpro --json
  lichen size blink
  lichen size blink --stack

Builds a minimal program for each combination of real-time tasks, events, threads and cooperative
threads, and lists its sections: flash above, RAM below. Each includes the kernel's stack of the
computed size. `lichen test size` compares these programs with their budgets.

With a program, lists its sections and its kernel's stack, as `lichen build` does. --stack adds what
is on that stack at its deepest: start-up, the kernel level and the interrupts above it, and the
functions of each with the bytes that they use.";

/// Options of `size`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// Name of a program under app/, or path of a program's folder; all combinations of kinds without.
    #[arg(value_name = "APP")]
    program: Option<String>,
    /// Show what is on the kernel's stack at its deepest.
    #[arg(long, requires = "program")]
    stack: bool,
    /// Board to build for; if not given, `hamilton`, or the first one of the manifest.
    #[arg(long)]
    board: Option<String>,
    /// Write a JSON array with an object for each combination; for a program, its kernel stack.
    #[arg(long)]
    json: bool,
}

/// Builds a program, or all combinations, and prints sizes.
pub fn size(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    if let Some(board) = &options.board {
        here.tree.board_file(board)?;
    }
    if let Some(name) = &options.program {
        let program = Program::find(&here.tree, &here.folder, name)?;
        return size_of(&here, &program, options, screen);
    }
    let board = options.board.as_deref().unwrap_or(DEFAULT_BOARD);
    let built = kinds::combinations(&here.tree, board, &mut |progress| {
        screen.progress("building kinds", progress.done.into(), progress.total.into());
    });
    screen.end_progress();
    let combinations = built?;
    if options.json {
        let objects: Vec<_> = combinations.iter().map(object).collect();
        out!("{}", serde_json::Value::from(objects));
    } else {
        print_table("flash", &combinations, |row| row.rom);
        out!("");
        print_table("RAM", &combinations, |row| row.ram);
    }
    Ok(Code::Done)
}

fn size_of(
    here: &Here,
    program: &Program,
    options: &Options,
    screen: &Screen,
) -> Result<Code, Failure> {
    let board = options.board.as_deref().unwrap_or(default_board(&program.manifest.boards));
    let (_, image) = build_program(here, program, board, false, screen)?;
    let stack = KernelStack::of(&image);
    if options.json {
        out!("{}", stack.as_ref().map_or(serde_json::Value::Null, stack_object));
        return Ok(Code::Done);
    }
    print_sections(program, board, &Sizes::of(&image));
    if let Some(stack) = &stack {
        out!("kernel's stack {} bytes, {}", stack.bytes, stack.reason());
        if options.stack {
            print_stack(stack);
        }
    }
    Ok(Code::Done)
}

/// What is on the stack at its deepest, from the top.
fn print_stack(stack: &KernelStack) {
    let Ok(need) = &stack.need else { return };
    print_parts(&need.parts);
    out!("  {:<38}{:>6}", "a panic instead, from the top", need.panic);
    if let Some(room) = &need.thread {
        let (needed, reserved) = (room.needed(), room.reserved);
        out!("interrupts need {needed} bytes of each thread's stack, which keeps {reserved}");
        print_parts(&room.parts);
    }
}

fn print_parts(parts: &[Part]) {
    for part in parts {
        out!("  {:<38}{:>6}", part.what, part.bytes);
        let frame = part.bytes - part.steps.iter().map(|step| step.bytes).sum::<u32>();
        if frame > 0 && !part.steps.is_empty() {
            out!("    {:<36}{frame:>6}", "exception frame, aligned");
        }
        for step in &part.steps {
            out!("    {:<36}{:>6}", step.function, step.bytes);
        }
    }
}

/// Sections of one memory that are not empty in some image, in the order of their addresses.
fn sections(combinations: &[Combination], of: fn(&Row) -> u32) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in combinations.iter().flat_map(|c| &c.sizes.rows).filter(|row| of(row) > 0) {
        if !names.contains(&row.section.as_str()) {
            names.push(&row.section);
        }
    }
    names
}

fn print_table(memory: &str, combinations: &[Combination], of: fn(&Row) -> u32) {
    let names = sections(combinations, of);
    let head: String = names.iter().map(|name| format!("{name:>14}")).collect();
    out!("{memory:<24}{head}{:>10}", "total");
    for combination in combinations {
        let in_section = |name: &str| -> u32 {
            let rows = combination.sizes.rows.iter();
            rows.filter(|row| row.section == name).map(of).sum()
        };
        let cells: String = names.iter().map(|name| format!("{:>14}", in_section(name))).collect();
        let total: u32 = combination.sizes.rows.iter().map(of).sum();
        out!("{:<24}{cells}{total:>10}", title(combination));
    }
}

/// The kinds as people write them: `rt + coop`.
fn title(combination: &Combination) -> String {
    combination.name.replace('_', " + ")
}

fn object(combination: &Combination) -> serde_json::Value {
    let sizes = &combination.sizes;
    let sections: Vec<_> = sizes
        .rows
        .iter()
        .map(|row| json!({ "name": row.section, "rom": row.rom, "ram": row.ram }))
        .collect();
    let kinds: Vec<&str> = combination.name.split('_').filter(|kind| *kind != "none").collect();
    json!({ "kinds": kinds, "rom": sizes.rom(), "ram": sizes.ram(), "sections": sections })
}
