// SPDX-License-Identifier: MIT OR Apache-2.0
//! The events of a program, which run on the kernel's stack: how deep their handlers get.

use crate::elf::Elf;
use crate::error::PackError;
use lichen_analysis::Text;
use lichen_image::Image;
use lichen_stack::{Root, known_depths};

/// Bytes of the kernel's stack that the deepest event of the program uses, with its own functions that it calls; 0 if the
/// program has no events.
pub fn event_stack(elf: &Elf, image: &Image) -> Result<u16, PackError> {
    let roots: Vec<Root> =
        handlers(elf).into_iter().map(|entry| Root { entry, ..Root::default() }).collect();
    let depths = known_depths(&Text::of(image), &roots, None);
    let bytes = |part: &lichen_stack::Part| part.steps.iter().map(|step| step.bytes).sum::<u32>();
    let number = depths.iter().map(bytes).max().unwrap_or(0);
    let least = u32::from(!roots.is_empty());
    let (what, most) = ("bytes of stack of an event", u16::MAX.into());
    u16::try_from(number.max(least)).map_err(|_| PackError::TooMuch {
        what,
        number: number.into(),
        most,
    })
}

/// The handlers that the table of events has, in the link.
fn handlers(elf: &Elf) -> Vec<u32> {
    let edge = |edge| elf.address(&format!("tables_events_{edge}"));
    let (Some(begin), Some(end)) = (edge("begin"), edge("end")) else { return Vec::new() };
    let row = elf.machine.row_bytes().events;
    let rows = (begin..end).step_by(row as usize);
    rows.filter_map(|row_at| elf.pointer_to_function(row_at + row / 2)).collect()
}
