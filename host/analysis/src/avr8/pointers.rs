// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pointers to functions in an image of AVR code.

use super::code::Addresses;
use crate::pointers::{Places, Pointers, Port, within};
use crate::text::Text;
use std::collections::BTreeSet;
use std::ops::Range;

/// Who calls the handlers of interrupts that came while another one was handled.
const RUN_DEFERRED: &str = "run_deferred";

/// A handler that does nothing, for an entry that only requests the kernel level.
const NO_HANDLER: &str = "no_handler";

/// Bytes of a vector.
const VECTOR_BYTES: usize = 4;

/// The pointers of an image.
pub(crate) fn pointers(code: &Text<'_>, addresses: &Addresses) -> Pointers {
    let mut places = Places::new();
    for (at, to) in addresses.0.iter().filter(|(_, to)| code.is_function(*to)) {
        places.entry(*to).or_default().push(*at);
    }
    let deferred = deferred(code);
    if let Some(table) = &deferred {
        forget_halves(&mut places, table);
    }
    forget_handlers(code, &mut places, deferred.as_ref());
    let handlers = deferred.iter().flat_map(|table| within(&places, table)).collect();
    let port =
        Port { tables: deferred.into_iter().collect(), calls: vec![(RUN_DEFERRED, handlers)] };
    Pointers::new(code, places, port)
}

/// The table of handlers: as many pointers as there are bytes that say which are wanted.
fn deferred(code: &Text<'_>) -> Option<Range<u32>> {
    let count = code.symbol("deferred_end")?.checked_sub(code.symbol("deferred_begin")?)?;
    let begin = code.symbol("deferred_table")?;
    Some(begin..begin + count * code.architecture.pointers.code_bytes)
}

/// Two halves of neighbours in a table of pointers are none.
fn forget_halves(places: &mut Places, table: &Range<u32>) {
    let is_whole = |at: &u32| !table.contains(at) || (at - table.start) % 2 == 0;
    for at in places.values_mut() {
        at.retain(is_whole);
    }
}

/// What the entries of interrupts of level 1 may go on to call: a handler of that table, or what stands for one that
/// has nothing to do.
pub(super) fn entered(code: &Text<'_>) -> BTreeSet<u32> {
    let words = deferred(code).into_iter().flat_map(|table| table.step_by(2));
    let handlers = words.filter_map(|at| Some(2 * u32::from(code.halfword(at)?)));
    handlers.chain(code.symbol(NO_HANDLER)).collect()
}

/// Vectors are jumps, and handlers of interrupts stand in no table but that of the deferred ones: other
/// words with their addresses are numbers.
fn forget_handlers(code: &Text<'_>, places: &mut Places, deferred: Option<&Range<u32>>) {
    for entry in vectors(code).filter_map(|at| code.avr_vector(at)) {
        places.remove(&entry);
    }
    let Some(deferred) = deferred else { return };
    for handler in within(places, deferred) {
        places.entry(handler).or_default().retain(|at| deferred.contains(at));
    }
}

/// Where the vectors are, but for that of reset.
pub fn vectors(code: &Text<'_>) -> impl Iterator<Item = u32> {
    code.table("vectors_begin", "vectors_end").step_by(VECTOR_BYTES).skip(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_whole_words() {
        let mut places =
            Places::from([(0x62, vec![0x18]), (0x30, vec![0x1a]), (0x3000, vec![0x19, 0x41])]);
        forget_halves(&mut places, &(0x18..0x1c));
        assert_eq!(within(&places, &(0x18..0x1c)), [0x30, 0x62]);
        assert_eq!(places[&0x3000], [0x41]);
    }
}
