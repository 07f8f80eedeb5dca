// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether an image runs the same however it is executed:
//! `cargo run --release -p lichen-world --example paths -- BOARD.toml IMAGE.elf [SECONDS [MOMENTS]]`.
//!
//! States are compared whenever something happens, up to this many times.

use lichen_board::Board;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_world::{Script, compare_paths};
use std::error::Error;
use std::path::Path;

const MOST_MOMENTS: u64 = 1_000;

#[allow(clippy::print_stdout)]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(board), Some(image)) = (arguments.next(), arguments.next()) else {
        return Err("which image? paths BOARD.toml IMAGE.elf [SECONDS [MOMENTS]]".into());
    };
    let until = arguments.next().map_or(Ok(Time::from_s(1)), |text| text.parse())?;
    let most = arguments.next().map_or(Ok(MOST_MOMENTS), |text| text.parse())?;
    let board = Path::new(&board);
    let name = board.file_stem().ok_or("a board is a file")?.to_string_lossy();
    let board = Board::find(board.parent().ok_or("a board lies in a folder")?, &name)?;
    let loaded = Image::load(Path::new(&image))?.into();
    let compared = compare_paths(&board, &loaded, &Script::default(), until, most)?;
    let (moments, instructions) = (compared.moments, compared.instructions);
    match compared.difference {
        None => println!("{image}: equal at {moments} moments, {instructions} instructions"),
        Some(difference) => return Err(format!("{image}: {difference}").into()),
    }
    Ok(())
}
