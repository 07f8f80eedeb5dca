// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cost of every combination of the four kinds of work: the programs of `bench/kinds`, which
//! have the least of each kind, and their budgets.

use crate::size::Sizes;
use crate::{BuildError, Progress, build_ahead, build_for_test};
use lichen_image::Image;
use lichen_project::Source;
use lichen_project::{Budget, Explain, FileError, Place, Tree};
use serde::Deserialize;
use std::path::Path;
use toml::Spanned;

/// A program with some of the kinds of work.
#[derive(Clone, Debug)]
pub struct Combination {
    /// The kinds, joined by `_`; `none` without any.
    pub name: String,
    /// Its size.
    pub sizes: Sizes,
    /// Its budget.
    pub budget: Budget,
    /// Symbols that are linked and must not be.
    pub unwanted: Vec<String>,
}

/// Why the sizes cannot be determined.
#[derive(Debug, thiserror::Error)]
pub enum KindsError {
    /// The budgets have an error.
    #[error(transparent)]
    File(#[from] FileError),
    /// A program does not build.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// An image is wrong, or missing.
    #[error(transparent)]
    Image(#[from] lichen_image::Error),
}

impl Explain for KindsError {
    fn place(&self) -> Option<Place> {
        match self {
            KindsError::File(error) => error.place(),
            KindsError::Build(error) => error.place(),
            KindsError::Image(_) => None,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            KindsError::File(error) => error.remedy(),
            KindsError::Build(error) => error.remedy(),
            KindsError::Image(_) => Some(
                "bench/kinds/budget.toml and bench/kinds/programs.cmake must name the same programs"
                    .to_string(),
            ),
        }
    }
}

/// Where the combinations and their budgets are.
pub const ROOM: &str = "bench/kinds";
const BUDGETS: &str = "budget.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Budgets {
    combination: Vec<Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    program: String,
    rom: Spanned<u32>,
    ram: Spanned<u32>,
    #[serde(default)]
    absent: Vec<String>,
}

/// Names of all combinations, in the order of the file of budgets.
pub fn names(tree: &Tree) -> Result<Vec<String>, KindsError> {
    let (budgets, _) = lichen_project::read_toml::<Budgets>(&tree.path(ROOM).join(BUDGETS))?;
    Ok(budgets.combination.into_iter().map(|written| written.program).collect())
}

/// Builds all combinations for `board`, in the order of the file of budgets.
pub fn combinations(
    tree: &Tree,
    board: &str,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Combination>, KindsError> {
    let folder = tree.path(ROOM);
    let file = folder.join(BUDGETS);
    let (budgets, text) = lichen_project::read_toml::<Budgets>(&file)?;
    let source = |written: &Written| Source {
        folder: folder.join(&written.program),
        name: written.program.clone(),
        label: format!("{ROOM}/{}", written.program),
        debug: false,
    };
    let sources: Vec<Source> = budgets.combination.iter().map(source).collect();
    build_ahead(tree, &sources, board, progress);
    let mut combinations = Vec::new();
    for (written, source) in budgets.combination.into_iter().zip(&sources) {
        let elf = build_for_test(tree, source, board, progress)?.elf;
        combinations.push(combination(written, &elf, &file, &text)?);
    }
    Ok(combinations)
}

fn combination(
    written: Written,
    elf: &Path,
    file: &Path,
    text: &str,
) -> Result<Combination, KindsError> {
    let image = Image::load(elf)?;
    let linked = |name: &String| image.has(name);
    let unwanted = written.absent.iter().filter(|name| linked(name)).cloned().collect();
    let at = |offset| Place::offset(file, text, offset);
    let budget = Budget {
        rom_place: at(written.rom.span().start),
        rom: written.rom.into_inner(),
        ram_place: at(written.ram.span().start),
        ram: written.ram.into_inner(),
    };
    Ok(Combination { name: written.program, sizes: Sizes::of(&image), budget, unwanted })
}
