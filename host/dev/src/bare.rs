// SPDX-License-Identifier: MIT OR Apache-2.0
//! A chip with an image, without a board or a world around it.

use lichen_board::Board;
use lichen_chip::{Chip, Input, Level, Stop, Time};
use lichen_image::Image;

/// A powered chip with an image; nothing is typed at its console, nothing else is connected to its
/// pins.
pub fn power_up(board: &Board, image: &Image) -> Result<Box<dyn Chip>, String> {
    let chip = lichen_chip::by_part(&board.chip, &board.config());
    let mut chip = chip.map_err(|error| error.to_string())?;
    for segment in image.segments() {
        chip.program(segment.address, &segment.bytes).map_err(|error| error.to_string())?;
    }
    chip.power_on();
    if let Some(console) = &board.console {
        // An idle serial line is high; a floating one would be noise.
        chip.input(Input::Pin { pin: console.rx.pin.0, level: Level::High });
    }
    Ok(chip)
}

/// Runs until `until`, or to a breakpoint, whose address is returned.
pub fn run_to_breakpoint(chip: &mut dyn Chip, until: Time) -> Option<u32> {
    let mut outputs = Vec::new();
    while chip.now() < until {
        match chip.run(until) {
            Stop::Breakpoint => return Some(chip.core().pc()),
            Stop::Output => {
                chip.take_outputs(&mut outputs);
                outputs.clear();
            }
            Stop::Reached => {}
            Stop::Lockup => return None,
        }
    }
    None
}
