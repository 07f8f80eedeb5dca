// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen pack`: the container of a program that is loaded.

use crate::inspect::{ram_json, rows_json};
use crate::key;
use crate::plan::tell_of_program;
use clap::Args;
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
  lichen pack ../my-program --output my-program.lichen
  lichen pack sense --json                     then: lichen inspect FILE

Builds the program for loading and makes its container, NAME.lichen in build/BOARD/PROGRAM or the
file that --output names. A program is loadable if its manifest has a table [load]
(doc/spec/manifest.md). The container is linked again at three places and compared with the program
before it is written.

Motes link a program as it is only if it was packed under the key of their image: lichen key.

Exit code 1 if the program does not build; 2 for an unknown program or board, a program that is not
loadable, and one that has what no loaded program can have: real-time tasks, cooperative threads.";

/// Options of `pack`.
#[derive(Debug, Args)]
pub struct Options {
    /// Name of a program under app/, or path of a program's folder.
    #[arg(value_name = "APP")]
    pub program: String,
    /// Board to build for; if not given, `hamilton`, or the first one of the manifest.
    #[arg(long)]
    pub board: Option<String>,
    /// Write the container to this file.
    #[arg(long, value_name = "FILE")]
    pub output: Option<OutputFile>,
    /// Sign the container with the key in this file.
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
    let (packed, folder) = packed(&here, &program, board, key.as_ref(), screen)?;
    let file = match &options.output {
        Some(file) => here.path(file),
        None => folder.join(format!("{}.lichen", program.manifest.name)),
    };
    std::fs::write(&file, &packed.bytes).map_err(|error| {
        Failure::wrong(format!("cannot be written: {error}"))
            .at(Place::file(&file))
            .remedy("does the folder exist, and may you write there?")
    })?;
    let calls = calls(&here, &packed)?;
    if options.json {
        out!("{}", object((&program, board), &packed, &calls, &file));
    } else {
        print_table(&packed, &calls);
        out!("{}", here.tree.shown(&file).display());
    }
    Ok(Code::Done)
}

/// What a program is when it is loaded.
fn loadable(program: &Program) -> Result<Load, Failure> {
    program.manifest.load.ok_or_else(|| {
        let name = &program.manifest.name;
        Failure::wrong(format!("`{name}` is no program that can be loaded: it has no table [load]"))
            .at(Place::file(program.folder.join("lichen.toml")))
            .remedy("write [load] and, below it, version = 1: doc/spec/manifest.md")
    })
}

/// The container of a program, and its build folder.
pub fn packed(
    here: &Here,
    program: &Program,
    board: &str,
    key: Option<&Key>,
    screen: &Screen,
) -> Result<(Packed, PathBuf), Failure> {
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
        name: program.manifest.name.clone(),
        version: load.version.get(),
        confirm_s: load.confirm_s,
        has_mac: key.is_some(),
    };
    let image = Image::load(&built.elf)?;
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
    Ok((packed, built.folder))
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
    let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    let references = many(packed.references as u64, "reference");
    out!(
        "{references}; calls {}",
        if names.is_empty() { "nothing" } else { "" }.to_string() + &names.join(", ")
    );
}

fn object(
    (program, board): (&Program, &str),
    packed: &Packed,
    calls: &[Used],
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
        "signed": header.has_mac,
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
