// SPDX-License-Identifier: MIT OR Apache-2.0
//! The common start of all verbs that simulate: a mote, what it runs, and its input.

use crate::build::build_program;
use crate::failure::Failure;
use crate::place::Here;
use crate::screen::Screen;
use clap::Args;
use lichen_device::Board;
use lichen_image::Image;
use lichen_project::{Place, Program, ProgramError};
use lichen_world::{MoteId, Script, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What to run, and on what.
#[derive(Debug, Args)]
pub struct MoteOptions {
    /// Name of a program under app/, path of a program's folder, or an ELF image.
    #[arg(value_name = "APP|IMAGE.elf")]
    pub target: String,
    /// Board to run it on.
    #[arg(long, default_value = "hamilton")]
    pub board: String,
    /// Script of what is typed and pressed, and when.
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,
    /// Selects the deviation of the mote's oscillators, and its serial number; 0 is nominal.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}

/// A mote before its first instruction.
pub struct Mote {
    /// The world that it is alone in.
    pub world: World,
    /// Its name there.
    pub id: MoteId,
    /// The image's file.
    pub elf: PathBuf,
    /// The input that will come; the world does not follow it yet.
    pub script: Option<Script>,
}

impl Mote {
    /// Builds the program if it is given as source, and loads it into a mote.
    pub fn new(options: &MoteOptions, here: &Here, screen: &Screen) -> Result<Mote, Failure> {
        here.tree.board_file(&options.board)?;
        let board = Board::find(&here.tree.path("board"), &options.board)?;
        let input = options.input.as_deref();
        let script = input.map(|file| Script::load(&here.path(file))).transpose()?;
        let (elf, image) = image(here, &options.target, &options.board, screen)?;
        let mut world = World::with_seed(options.seed);
        let id = world.add(board, Arc::new(image))?;
        if let (Some(script), Some(file)) = (&script, input) {
            let checked = world.check_script(id, script);
            checked.map_err(|error| Failure::from(error).at(Place::file(file)))?;
        }
        Ok(Mote { world, id, elf, script })
    }
}

/// The given image, or that of the program, and its file.
fn image(
    here: &Here,
    given: &str,
    board: &str,
    screen: &Screen,
) -> Result<(PathBuf, Image), Failure> {
    let path = here.path(Path::new(given));
    if path.is_file() {
        let image = Image::load(&path)?;
        return Ok((path, image));
    }
    if given.ends_with(".elf") {
        return Err(Failure::wrong("there is no such image")
            .at(Place::file(given))
            .remedy("check the path; ./lichen run PROGRAM builds a program's image itself"));
    }
    let program = Program::find(&here.tree, &here.folder, given).map_err(or_an_image)?;
    let (artifacts, image) = build_program(here, &program, board, screen)?;
    Ok((artifacts.elf, image))
}

/// What is not a program could also have been an image.
fn or_an_image(error: ProgramError) -> Failure {
    let is_unknown = matches!(error, ProgramError::Unknown { .. });
    let failure = Failure::from(error);
    match failure.remedy.clone() {
        Some(remedy) if is_unknown => failure.remedy(format!("{remedy} or of an ELF file")),
        _ => failure,
    }
}
