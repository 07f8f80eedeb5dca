// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `run` is given: an image, or a program to build first.

use crate::build::build_program;
use crate::failure::Failure;
use crate::place::Here;
use crate::screen::Screen;
use lichen_project::{Place, Program};
use std::path::{Path, PathBuf};

/// The image to run.
pub fn image_file(
    here: &Here,
    given: &str,
    board: &str,
    screen: &Screen,
) -> Result<PathBuf, Failure> {
    let path = here.path(Path::new(given));
    if path.is_file() {
        return Ok(path);
    }
    if given.ends_with(".elf") {
        return Err(Failure::wrong("there is no such image")
            .at(Place::file(given))
            .remedy("check the path; ./lichen run PROGRAM builds a program's image itself"));
    }
    let program = Program::find(&here.tree, &here.folder, given)?;
    let artifacts = build_program(here, &program, board, screen)?;
    Ok(artifacts.elf)
}
