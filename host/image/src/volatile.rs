// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which bytes of variables are declared volatile.

use crate::layout::{DEEPEST, Index, Unit, type_of};
use crate::variables;
use gimli::{UnitOffset, constants as dw};

/// Whether the byte at `address` is of a variable that is volatile there; `None` if it is of none that is known.
pub(crate) fn at(index: &Index, address: u32) -> Option<bool> {
    let (place, unit, type_) = variables::before(index, address)?;
    let offset = address - place;
    let (size, _) = index.describe(unit, type_, 0);
    if offset < size { of(index, unit, type_, offset, 0) } else { None }
}

/// The same of the byte at `offset` of a type.
fn of(index: &Index, unit: &Unit, type_: UnitOffset, offset: u32, depth: u32) -> Option<bool> {
    if depth > DEEPEST {
        return None;
    }
    let entry = unit.entry(type_).ok()?;
    let inner = |offset| match type_of(&entry) {
        Some(target) => of(index, unit, target, offset, depth + 1),
        None => Some(false),
    };
    match entry.tag() {
        dw::DW_TAG_volatile_type => Some(true),
        dw::DW_TAG_const_type | dw::DW_TAG_typedef | dw::DW_TAG_atomic_type => inner(offset),
        dw::DW_TAG_array_type => {
            let (size, _) = index.describe(unit, type_of(&entry)?, 0);
            inner(offset.checked_rem(size)?)
        }
        dw::DW_TAG_structure_type | dw::DW_TAG_union_type => {
            let members = index.members(unit, type_)?;
            let around = members.into_iter().filter_map(|(at, target)| {
                let within = offset.checked_sub(at)?;
                let (size, _) = index.describe(unit, target, 0);
                (within < size).then(|| of(index, unit, target, within, depth + 1))
            });
            // Of the members of a union one may be.
            around.reduce(|a, b| if a == Some(true) { a } else { b.or(a) }).flatten()
        }
        _ => Some(false),
    }
}
