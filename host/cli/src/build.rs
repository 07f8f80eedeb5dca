// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen build`: an image, a binary, a size table.

use clap::Args;
use lichen_build::Artifacts;
use lichen_build::calls::Calls;
use lichen_build::size::Sizes;
use lichen_build::stack::{KernelStack, Part, Step};
use lichen_build::vet::{self, VetError};
use lichen_image::Image;
use lichen_project::interface::Interface;
use lichen_project::{Program, default_board};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, out};
use serde_json::json;

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen build blink
  lichen build blink --board samr21-xpro
  lichen build blink --debug                   then: lichen debug blink --debug
  lichen build ../my-program --json

The image, the binary, the linker's map and compile_commands.json are written to
build/BOARD/PROGRAM; for a program outside the tree, the folder's name ends with a hash of
the program's path. An image that takes programs has PROGRAM.calls.json there, too: how deep each of its
calls gets on the stack of its caller, for lichen pack --image.

With `lto = true` below [build] in the manifest, a program for ARM and what it uses of the system are
optimised as one, in a second link; its first one is in once/.

--debug compiles the program's own sources for a debugger (-Og), in a folder whose name ends with
+debug: GDB goes from line to line and sees most variables. The system is the same as always. Such a
program is larger and slower, and linked once; its size is not held against the budget, but its stacks must suffice
as always.

Exit code 1 if the program does not build, exceeds the budget in its
manifest, has a main, makes a call that its kind of work may not make, or makes an event or a mutex
by hand; 2 for an unknown program or board, or a wrong manifest.";

/// Options of `build`.
#[derive(Debug, Args)]
pub struct Options {
    /// Name of a program under app/, or path of a program's folder.
    #[arg(value_name = "APP")]
    pub program: String,
    /// Board to build for; if not given, `hamilton`, or the first one of the manifest.
    #[arg(long)]
    pub board: Option<String>,
    /// Compile the program's own sources for a debugger; the budget is not checked.
    #[arg(long)]
    pub debug: bool,
    /// Write one JSON object on the standard output.
    #[arg(long)]
    pub json: bool,
}

/// Builds the program and compares its size with its budget.
pub fn build(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    if let Some(board) = &options.board {
        here.tree.board_file(board)?;
    }
    let program = Program::find(&here.tree, &here.folder, &options.program)?;
    let board = options.board.as_deref().unwrap_or(default_board(&program.manifest.boards));
    let (artifacts, image) = build_program(&here, &program, board, options.debug, screen)?;
    let sizes = Sizes::of(&image);
    let stack = KernelStack::of(&image);
    let waiting = vet::waiting(&image);
    let waiting: Vec<String> = waiting.into_iter().map(|task| task.name).collect();
    if options.json {
        let made = (&artifacts, &image);
        print_json((&program, board), options, made, &sizes, (stack.as_ref(), &waiting));
    } else {
        print_table(&program, board, &sizes);
        if let Some(stack) = &stack {
            out!("kernel's stack {} bytes, {}", stack.bytes, stack.reason());
        }
        for task in &waiting {
            out!(
                "real-time task {task} is in flash: it waits for up to 6 ms while flash is written; \
                 RT_TASK_IN_RAM places it in RAM"
            );
        }
        if takes_programs(&image) && !has_key(&image) {
            out!(
                "the image has no key: it refuses programs that are linked as they are; `lichen key FILE` makes \
                 one, and `key = \"FILE\"` below [programs] in lichen.toml names it"
            );
        }
        out!("{}", here.tree.shown(&artifacts.elf).display());
        out!("{}", here.tree.shown(&artifacts.bin).display());
        if options.debug {
            out!("built for a debugger: the budget is not checked");
        }
    }
    check_budget(&program, board, options.debug, &sizes)?;
    Ok(Code::Done)
}

/// Whether programs can be loaded into an image.
pub fn takes_programs(image: &Image) -> bool {
    image.symbols().find("loader_run").is_some()
}

/// Whether it trusts who has its key.
fn has_key(image: &Image) -> bool {
    image.symbols().find("load_key").is_some()
}

/// Refuses an image that exceeds its budget, which is that of what runs in the field.
pub fn check_budget(
    program: &Program,
    board: &str,
    debug: bool,
    sizes: &Sizes,
) -> Result<(), Failure> {
    match program.manifest.budget(board) {
        Some(budget) if !debug => Ok(sizes.check(budget)?),
        _ => Ok(()),
    }
}

/// Builds `program` for `board`, or for `board` and a debugger, with progress on the screen, and checks
/// its image for forbidden calls and objects.
pub fn build_program(
    here: &Here,
    program: &Program,
    board: &str,
    debug: bool,
    screen: &Screen,
) -> Result<(Artifacts, Image), Failure> {
    program.check_board(&here.tree, board)?;
    let what = format!("building {} for {board}", program.manifest.name);
    let source = program.source(&here.tree);
    let source = if debug { source.for_debugger() } else { source };
    let built = lichen_build::build(&here.tree, &source, board, &mut |progress| {
        screen.progress(&what, progress.done.into(), progress.total.into());
    });
    screen.end_progress();
    let artifacts = built?;
    lichen_build::check_target(&here.tree, &source, &artifacts)?;
    let image = Image::load(&artifacts.elf)?;
    let ordinary = artifacts.ordinary.as_deref().map(Image::load).transpose()?;
    vet::vet_linked(ordinary.as_ref(), &image).map_err(|error| refused(error, program))?;
    if takes_programs(&image) {
        write_calls(here, program, &artifacts, &image)?;
    }
    Ok((artifacts, image))
}

/// Writes how deep the calls of an image get, for `lichen pack --image`.
fn write_calls(
    here: &Here,
    program: &Program,
    artifacts: &Artifacts,
    image: &Image,
) -> Result<(), Failure> {
    let Some(calls) = Calls::of(image, &Interface::read(&here.tree)?) else { return Ok(()) };
    Ok(calls.write(&Calls::file(&artifacts.folder, &program.manifest.name))?)
}

/// A stack that is too small is stated in the manifest.
fn refused(error: VetError, program: &Program) -> Failure {
    let place = program.manifest.kernel_stack_place.clone();
    match (&error, place) {
        (VetError::Stack(_), Some(place)) => Failure::from(error).at(place),
        _ => error.into(),
    }
}

/// Prints the size of each section beside the program's budget.
pub fn print_table(program: &Program, board: &str, sizes: &Sizes) {
    out!("{:<24}{:>10}{:>10}", "section", "rom", "ram");
    for row in &sizes.rows {
        out!("{:<24}{:>10}{:>10}", row.section, bytes(row.rom), bytes(row.ram));
    }
    out!("{:<24}{:>10}{:>10}", "total", sizes.rom(), sizes.ram());
    let Some(budget) = program.manifest.budget(board) else { return };
    out!("{:<24}{:>10}{:>10}", "budget", budget.rom, budget.ram);
    let (rom, ram) = (share(sizes.rom(), budget.rom), share(sizes.ram(), budget.ram));
    out!("{:<24}{rom:>10}{ram:>10}", "used");
}

/// A section's bytes; nothing where there are none.
fn bytes(bytes: u32) -> String {
    if bytes == 0 { String::new() } else { bytes.to_string() }
}

/// Rounded down: a memory that is 100 % full has no byte left.
fn share(part: u32, whole: u32) -> String {
    if whole == 0 {
        return String::new();
    }
    format!("{} %", u64::from(part) * 100 / u64::from(whole))
}

fn print_json(
    (program, board): (&Program, &str),
    options: &Options,
    (artifacts, image): (&Artifacts, &Image),
    sizes: &Sizes,
    (stack, waiting): (Option<&KernelStack>, &[String]),
) {
    let budget = program.manifest.budget(board);
    let sections: Vec<_> = sizes
        .rows
        .iter()
        .map(|row| json!({ "name": row.section, "rom": row.rom, "ram": row.ram }))
        .collect();
    let object = json!({
        "program": program.manifest.name,
        "board": board,
        "debug": options.debug,
        "elf": artifacts.elf,
        "bin": artifacts.bin,
        "compile_commands": artifacts.compile_commands,
        "rom": sizes.rom(),
        "ram": sizes.ram(),
        "budget": budget.map(|budget| json!({ "rom": budget.rom, "ram": budget.ram })),
        "within_budget": budget.is_none_or(|budget| sizes.check(budget).is_ok()),
        "sections": sections,
        "kernel_stack": stack.map(stack_object),
        "waiting_for_flash": waiting,
        "takes_programs": takes_programs(image),
        "has_key": has_key(image),
    });
    out!("{object}");
}

/// The kernel's stack, and what is on it at its deepest.
pub fn stack_object(stack: &KernelStack) -> serde_json::Value {
    let need = stack.need.as_ref().ok();
    let parts = need.map(|need| {
        let step = |step: &Step| json!({ "function": step.function, "bytes": step.bytes });
        let part = |part: &Part| {
            let steps: Vec<_> = part.steps.iter().map(step).collect();
            json!({ "what": part.what, "bytes": part.bytes, "path": steps })
        };
        need.parts.iter().map(part).collect::<Vec<_>>()
    });
    json!({
        "bytes": stack.bytes,
        "stated": stack.stated,
        "needed": need.map(|need| need.size()),
        "deepest": need.map(|need| need.bytes),
        "reason": stack.reason(),
        "parts": parts,
    })
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn only_what_is_full_is_used_to_100_percent() {
        assert_eq!(share(24_352, 24_576), "99 %");
        assert_eq!(share(24_576, 24_576), "100 %");
        assert_eq!(share(u32::MAX, u32::MAX), "100 %");
        assert_eq!(share(0, 512), "0 %");
        assert_eq!(share(0, 0), "");
    }
}
