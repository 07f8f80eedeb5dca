// SPDX-License-Identifier: MIT OR Apache-2.0
//! The instructions of an image.

use lichen_image::Image;
use lichen_isa::{Instruction, LONGEST_INSTRUCTION};

/// The instruction at `address` of the image, which need not be followed by anything.
pub(crate) fn instruction(image: &Image, address: u32) -> Option<Instruction> {
    let architecture = lichen_isa::architecture(image.machine().number())?;
    let shortest = architecture.instruction_alignment as usize;
    let mut lengths = (shortest..=LONGEST_INSTRUCTION).rev().step_by(shortest);
    let code = lengths.find_map(|length| image.initial_bytes_at(address, length))?;
    (architecture.decode)(address, code)
}
