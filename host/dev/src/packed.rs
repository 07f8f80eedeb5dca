// SPDX-License-Identifier: MIT OR Apache-2.0
//! Containers of the tree's programs, for benches and tests.

use lichen_image::Image;
use lichen_key::Key;
use lichen_pack::{About, Packed};
use lichen_project::{Program, Tree, interface::Interface};

/// The container of the program in a folder of the tree, also of one that declares what a loaded program cannot have.
/// `change` has its say in what the manifest says.
pub fn packed(
    tree: &Tree,
    board: &str,
    folder: &str,
    key: Option<&Key>,
    change: impl FnOnce(&mut About),
) -> Result<Packed, String> {
    let program = Program::at(tree, tree.path(folder)).map_err(|error| error.to_string())?;
    let load = program.manifest.load.as_ref().ok_or("it has no table [load]")?;
    let built = lichen_build::build_loaded(tree, &program.source(tree), board, &mut |_| {});
    let elf = built.map_err(|error| error.to_string())?.elf;
    let mut about = About {
        name: load.name.clone().unwrap_or_else(|| program.manifest.name.clone()),
        version: load.version.get(),
        confirm_s: load.confirm_s,
        has_mac: key.is_some(),
    };
    change(&mut about);
    let bytes = std::fs::read(&elf).map_err(|error| error.to_string())?;
    let interface = Interface::read(tree).map_err(|error| error.to_string())?;
    let image = Image::load(&elf).map_err(|error| error.to_string())?;
    let packed = lichen_pack::pack_anyway(&bytes, &image, &interface, &about);
    let mut packed = packed.map_err(|error| error.to_string())?;
    if let Some(key) = key {
        packed.sign(key.tag(&packed.bytes));
    }
    Ok(packed)
}
