// SPDX-License-Identifier: MIT OR Apache-2.0
//! Copies of functions that are part of others: where each begins.

use crate::layout::{Entry, Index, Unit};
use crate::prototypes::origin;
use gimli::{AttributeValue, constants as dw};
use std::collections::BTreeSet;

/// The first instructions of all copies of the function `name`, by its name in the source.
pub(crate) fn entries(index: &Index, name: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    for unit in &index.units {
        let mut entries = unit.entries();
        while let Ok(Some((_, entry))) = entries.next_dfs() {
            if entry.tag() == dw::DW_TAG_inlined_subroutine && is_of(index, unit, entry, name) {
                found.extend(begin(index, unit, entry));
            }
        }
    }
    found
}

fn is_of(index: &Index, unit: &Unit, entry: &Entry<'_>, name: &str) -> bool {
    origin(index, unit, entry)
        .and_then(|(unit, at)| index.name(unit, &unit.entry(at).ok()?))
        .is_some_and(|found| found == name)
}

/// Where a copy begins; `None` if the linker dropped it, which puts it at address 0, or no code is left of it.
fn begin(index: &Index, unit: &Unit, entry: &Entry<'_>) -> Option<u32> {
    let address = |attribute| {
        let value = entry.attr_value(attribute).ok().flatten()?;
        index.dwarf.attr_address(unit, value).ok().flatten()
    };
    let low = || index.dwarf.die_ranges(unit, entry).ok()?.next().ok().flatten().map(|it| it.begin);
    // An offset counts from the beginning of the code.
    let offset = || match entry.attr_value(dw::DW_AT_entry_pc).ok().flatten()? {
        AttributeValue::Udata(offset) => Some(low()? + offset),
        _ => None,
    };
    let begin = address(dw::DW_AT_entry_pc).or_else(offset).or_else(low)?;
    u32::try_from(begin).ok().map(|begin| begin & !1).filter(|begin| *begin != 0)
}
