// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen pack`: the container of a program that is loaded.

use crate::build::{build_program, takes_programs};
use crate::inspect::{ram_json, rows_json, storage_json};
use crate::key;
use crate::plan::tell_of_program;
use clap::Args;
use lichen_build::calls::Calls;
use lichen_build::vet::{LoadedStack, VetError, vet_loaded, vet_loaded_calls};
use lichen_container::Partition;
use lichen_image::Image;
use lichen_key::Key;
use lichen_pack::{About, Interface, PackError, Packed};
use lichen_project::{Load, Place, Program, default_board, interface};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::{Files, InputFile, OutputFile, Overwrite, STANDARD};
use lichen_terminal::place::Here;
use lichen_terminal::screen::{Screen, many, out};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen pack blink --board mica2
  lichen pack blink --board mica2 --key my.key
  lichen pack blink --image base               checks its stacks, too
  lichen pack ../my-program --output my-program.lichen
  lichen pack sense --json                     then: lichen inspect FILE

Builds the program for loading and makes its container, NAME.lichen in build/BOARD/PROGRAM or the
file that --output names. A program is loadable if its manifest has a table [load]
(doc/spec/manifest.md). The container is linked again at three places and compared with the program
before it is written.

With --image, the stack of each thread must suffice for the program's own functions and the deepest
call of that image below them, interrupts included; the image must have the storage of its logs,
volumes and counters; start functions, events and shell commands must keep to what the image has
for them (doc/design/loader.md). The image is built first, if it has changed.

Motes link a program as it is only if it was packed under the key of their image: lichen key.

Exit code 1 if the program or the image does not build, or a stack is too small; 2 for an unknown program or board, a program that is not
loadable, and one that has what no loaded program can have: real-time tasks, cooperative threads.";

/// How the files are called that have the depths of an image's calls.
const CALLS_FILE: &str = ".calls.json";

/// Options of `pack`.
#[derive(Debug, Args)]
pub struct Options {
    /// Name of a program under app/, or path of a program's folder.
    #[arg(value_name = "APP")]
    pub program: String,
    /// Board to build for; if not given, `hamilton`, or the first one of the manifest.
    #[arg(long)]
    pub board: Option<String>,
    /// Check stacks for this image: a name under app/, the path of its folder, or the NAME.calls.json of its build.
    #[arg(long, value_name = "IMAGE")]
    pub image: Option<String>,
    /// Write the container to this file.
    #[arg(long, value_name = "FILE")]
    pub output: Option<OutputFile>,
    /// Sign the container with the key in this file; without it, motes refuse it.
    #[arg(long, value_name = "FILE")]
    pub key: Option<InputFile>,
    /// What may be overwritten.
    #[command(flatten)]
    pub overwrite: Overwrite,
    /// Write one JSON object on the standard output.
    #[arg(long)]
    pub json: bool,
}

/// Builds, packs and writes.
pub fn pack(options: &Options, mut files: Files, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    if let Some(board) = &options.board {
        here.tree.board_file(board)?;
    }
    if options.output.as_ref().is_some_and(|file| file.as_os_str() == STANDARD) {
        return Err(Failure::wrong("--output cannot write to the standard output")
            .remedy("name a file: /dev/stdout is one"));
    }
    tell_of_program(&options.program, &here, &mut files)?;
    let program = Program::find(&here.tree, &here.folder, &options.program)?;
    let board = options.board.as_deref().unwrap_or(default_board(&program.manifest.boards));
    let key = options.key.as_deref().map(|file| Key::read(&here.path(file))).transpose();
    let key = key.map_err(|error| key::refusal(&error))?;
    let of_image = options.image.as_deref().map(|image| calls_of(&here, image, board, screen));
    let of_image = of_image.transpose()?;
    let (packed, folder, image) = packed(&here, &program, board, key.as_ref(), screen)?;
    let used = calls(&here, &packed)?;
    if let Some(of_image) = &of_image {
        has_calls(of_image, &used)?;
        has_storage(of_image, &packed, &image)?;
        has_shell(of_image, &packed)?;
    }
    let stacks = of_image.map(|calls| vet_loaded(&image, &calls)).transpose()?;
    let file = match &options.output {
        Some(file) => here.path(file),
        None => folder.join(format!("{}.lichen", program.manifest.name)),
    };
    std::fs::write(&file, &packed.bytes).map_err(|error| {
        Failure::wrong(format!("cannot be written: {error}"))
            .at(Place::file(&file))
            .remedy("does the folder exist, and may you write there?")
    })?;
    if options.json {
        out!("{}", object((&program, board), &packed, (&used, stacks.as_deref()), &file));
    } else {
        print_table(&packed, &used);
        print_stacks(stacks.as_deref());
        out!("{}", here.tree.shown(&file).display());
    }
    Ok(Code::Done)
}

/// How deep the calls of an image get. It is built, unless it is named by the file that its build has written.
fn calls_of(here: &Here, image: &str, board: &str, screen: &Screen) -> Result<Calls, Failure> {
    if image.ends_with(CALLS_FILE) {
        return Ok(Calls::read(&here.path(Path::new(image)))?);
    }
    let program = Program::find(&here.tree, &here.folder, image)?;
    let (artifacts, elf) = build_program(here, &program, board, false, screen)?;
    if !takes_programs(&elf) {
        return Err(Failure::wrong(format!("`{image}` is no image that takes programs"))
            .at(Place::file(program.folder.join("lichen.toml")))
            .remedy("write [programs] and, below it, the groups of calls: doc/spec/manifest.md"));
    }
    Ok(Calls::read(&Calls::file(&artifacts.folder, &program.manifest.name))?)
}

/// Refuses calls that the image does not have: nothing is known of their depths.
fn has_calls(image: &Calls, used: &[Used]) -> Result<(), Failure> {
    let is_there = |used: &&Used| image.calls.iter().any(|call| call.number == used.number);
    let Some(Used { name, group, .. }) = used.iter().find(|used| !is_there(used)) else {
        return Ok(());
    };
    Err(Failure::wrong(format!("the image has no call `{name}'"))
        .remedy(format!("add \"{group}\" to `calls` below [programs] in the image's lichen.toml")))
}

/// Refuses a log, volume or counter whose storage the image lacks, or has less of: a mote would.
fn has_storage(image: &Calls, packed: &Packed, program: &Image) -> Result<(), Failure> {
    let is_lacking = |wanted: &&Partition| {
        !image.storage.iter().any(|it| {
            (it.kind, &it.name) == (wanted.kind.number(), &wanted.name) && it.pages >= wanted.pages
        })
    };
    let Some(Partition { kind, name, pages, .. }) =
        packed.header.partitions.iter().find(is_lacking)
    else {
        return Ok(());
    };
    let kind = kind.name();
    let declared = program.variables(kind).into_iter().find(|it| it.name == *name);
    let place = declared.and_then(|it| Some(Place::line(Path::new(&it.file?), it.line?)));
    let failure = Failure::wrong(format!(
        "the image has no storage of {pages} pages for the {kind} `{name}`"
    ))
    .remedy(format!(
        "declare PROGRAM_{}({name}) as large in the image, or larger: lichen/partition.h",
        kind.to_uppercase()
    ));
    Err(match place {
        Some(place) => failure.at(place),
        None => failure,
    })
}

/// Refuses commands that nobody could type.
fn has_shell(image: &Calls, packed: &Packed) -> Result<(), Failure> {
    if packed.header.rows.commands == 0 || image.command.is_some() {
        return Ok(());
    }
    Err(Failure::wrong("the image finds no commands of programs").remedy(
        "declare SHELL in it, and add \"shell\" to `calls` below [programs] in its lichen.toml",
    ))
}

/// What a program is when it is loaded.
fn loadable(program: &Program) -> Result<Load, Failure> {
    program.manifest.load.clone().ok_or_else(|| {
        let name = &program.manifest.name;
        Failure::wrong(format!("`{name}` is no program that can be loaded: it has no table [load]"))
            .at(Place::file(program.folder.join("lichen.toml")))
            .remedy("write [load] and, below it, version = 1: doc/spec/manifest.md")
    })
}

/// The container of a program, its build folder, and its link.
pub fn packed(
    here: &Here,
    program: &Program,
    board: &str,
    key: Option<&Key>,
    screen: &Screen,
) -> Result<(Packed, PathBuf, Image), Failure> {
    let load = loadable(program)?;
    program.check_board(&here.tree, board)?;
    let what = format!("building {} for loading on {board}", program.manifest.name);
    let source = program.source(&here.tree);
    let built = lichen_build::build_loaded(&here.tree, &source, board, &mut |progress| {
        screen.progress(&what, progress.done.into(), progress.total.into());
    });
    screen.end_progress();
    let built = built?;
    let about = About {
        name: load.name.unwrap_or_else(|| program.manifest.name.clone()),
        version: load.version.get(),
        confirm_s: load.confirm_s,
        has_mac: key.is_some(),
    };
    let image = Image::load(&built.elf)?;
    vet_loaded_calls(&image).map_err(VetError::from)?;
    let interface = interface::Interface::read(&here.tree)?;
    let bytes = std::fs::read(&built.elf).map_err(|error| {
        Failure::failed(format!("cannot be read: {error}")).at(Place::file(&built.elf))
    })?;
    let mut packed = lichen_pack::pack(&bytes, &image, &interface, &about)
        .map_err(|error| refused(&error, here))?;
    keep(&built.elf, &built.folder, &about)?;
    if let Some(key) = key {
        packed.sign(key.tag(&packed.bytes));
    }
    Ok((packed, built.folder, image))
}

/// Keeps the ELF of a version, by which tools find lines when it is loaded and the next one has been built.
fn keep(elf: &Path, folder: &Path, about: &About) -> Result<(), Failure> {
    let kept = folder.join(format!("{}-{}.loaded.elf", about.name, about.version));
    std::fs::copy(elf, &kept).map(|_| ()).map_err(|error| {
        Failure::failed(format!("cannot be written: {error}")).at(Place::file(&kept))
    })
}

fn refused(error: &PackError, here: &Here) -> Failure {
    let failure = if error.is_input() { Failure::wrong_input(error) } else { Failure::of(error) };
    match &failure.place {
        Some(place) => {
            let file = here.tree.shown(&place.file).to_path_buf();
            let place = Place { file, ..place.clone() };
            failure.at(place)
        }
        None => failure,
    }
}

/// A call that a program uses.
struct Used {
    number: u8,
    name: String,
    group: String,
}

fn calls(here: &Here, packed: &Packed) -> Result<Vec<Used>, Failure> {
    let interface = interface::Interface::read(&here.tree)?;
    let interface = Interface::of(&interface, packed.header.machine);
    let call = |number: &u8| {
        let call = interface.call(*number)?;
        Some(Used { number: *number, name: call.name.clone(), group: call.group_name.clone() })
    };
    Ok(packed.calls.iter().filter_map(call).collect())
}

fn print_table(packed: &Packed, calls: &[Used]) {
    let header = &packed.header;
    out!("{:<24}{:>10}", "part", "bytes");
    for (part, bytes) in [
        ("header", usize::from(header.header_bytes)),
        ("constants", header.constants_bytes.into()),
        ("code", header.code_bytes.into()),
        ("initial values", header.initial_bytes.into()),
        ("tokens", packed.token_bytes),
        ("checksum", lichen_container::CRC_BYTES),
        ("MAC", if header.has_mac { lichen_container::MAC_BYTES } else { 0 }),
        ("container", packed.bytes.len()),
    ] {
        out!("{part:<24}{bytes:>10}");
    }
    let flash = u32::from(header.header_bytes) + header.flash_bytes();
    out!("{:<24}{flash:>10}", "flash on the mote");
    for (block, bytes) in [
        ("RAM for objects", header.object_bytes),
        ("RAM for stacks", header.stack_bytes),
        ("RAM for data", header.data_bytes),
    ] {
        out!("{block:<24}{bytes:>10}");
    }
    if header.rows.events > 0 {
        out!("{:<24}{:>10}", "stack of an event", header.event_stack);
    }
    for Partition { kind, name, pages, .. } in &header.partitions {
        out!("{:<24}{pages:>10}", format!("pages of {} {name}", kind.name()));
    }
    let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    let references = many(packed.references as u64, "reference");
    out!(
        "{references}; calls {}",
        if names.is_empty() { "nothing" } else { "" }.to_string() + &names.join(", ")
    );
}

/// Bytes of each stack, and what may be needed of it.
fn print_stacks(stacks: Option<&[LoadedStack]>) {
    let Some(stacks) = stacks else {
        out!("stacks are not checked: --image names the image that the program is for");
        return;
    };
    out!("{:<24}{:>10}{:>10}", "stack", "bytes", "needed");
    for LoadedStack { what, name, bytes, needed } in stacks {
        out!("{:<24}{bytes:>10}{needed:>10}", format!("{what} {name}"));
    }
}

fn stacks_json(stacks: &[LoadedStack]) -> Value {
    let stack = |LoadedStack { what, name, bytes, needed }: &LoadedStack| json!({ "what": what, "name": name, "bytes": bytes, "needed": needed });
    stacks.iter().map(stack).collect()
}

fn object(
    (program, board): (&Program, &str),
    packed: &Packed,
    (calls, stacks): (&[Used], Option<&[LoadedStack]>),
    file: &Path,
) -> Value {
    let header = &packed.header;
    let call =
        |call: &Used| json!({ "number": call.number, "name": call.name, "group": call.group });
    json!({
        "program": program.manifest.name,
        "board": board,
        "file": file,
        "machine": header.machine.to_string(),
        "version": header.version,
        "confirm_s": header.confirm_s,
        "bytes": packed.bytes.len(),
        "parts": {
            "header": header.header_bytes,
            "constants": header.constants_bytes,
            "code": header.code_bytes,
            "initial": header.initial_bytes,
            "tokens": packed.token_bytes,
        },
        "ram": ram_json(header),
        "rows": rows_json(header),
        "event_stack": header.event_stack,
        "storage": storage_json(header),
        "signed": header.has_mac,
        "stacks": stacks.map(stacks_json),
        "references": packed.references,
        "calls": calls.iter().map(call).collect::<Vec<_>>(),
        "load.container": {
            "header_and_references": packed.overhead(),
            "references": packed.token_bytes,
            "microexe": packed.formula.bytes(),
            "microexe_symbols": packed.formula.relocations,
            "microexe_allocations": packed.formula.allocations,
            "microexe_initialized": packed.formula.initialized,
        },
    })
}
