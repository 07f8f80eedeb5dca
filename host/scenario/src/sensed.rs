// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a mote senses a quantity, and what would.

use lichen_board::{Board, facts};
use lichen_device::part::PARTS;
use lichen_device::{QUANTITIES, Quantity, SUPPLY};

/// The quantity of this name.
pub(crate) fn quantity(name: &str) -> Result<&'static Quantity, String> {
    QUANTITIES.iter().find(|quantity| quantity.name == name).ok_or_else(|| {
        let known: Vec<&str> = QUANTITIES.iter().map(|quantity| quantity.name).collect();
        match facts::nearest(name, known.iter().copied()) {
            Some(near) => format!("there is no quantity `{name}`; did you mean `{near}`?"),
            None => format!("there is no quantity `{name}`; there are {}", known.join(", ")),
        }
    })
}

/// A course that nothing follows is a mistake: of the quantity, or of the board.
pub(crate) fn check(quantity: &Quantity, mote: &str, board: &Board) -> Result<(), String> {
    if *quantity == SUPPLY || board.senses(quantity) {
        return Ok(());
    }
    let parts = PARTS.iter().filter(|part| part.senses.contains(quantity));
    let fitting = |part| {
        let fitting = board.room_for(part)?;
        Some(format!("part = \"{}\", {}", part.number, fitting.connection()))
    };
    let fittings: Vec<String> = parts.filter_map(fitting).collect();
    let advice = match fittings.is_empty() {
        true => format!(", since no part that does can be connected to a `{}`", board.name),
        false => {
            format!(", or connect one that does with [[mote.device]]: {}", fittings.join("; or "))
        }
    };
    Err(format!("no part of `{mote}` senses `{}`; leave it out{advice}", quantity.name))
}
