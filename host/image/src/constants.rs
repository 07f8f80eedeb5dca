// SPDX-License-Identifier: MIT OR Apache-2.0
//! Constants that a program gives a name: enumerators, and variables that the compiler has replaced by their values.

use crate::layout::{Index, is_of_system};
use gimli::{AttributeValue, constants as dw};

/// Names and values of all constants that are the program's own, and that it uses.
pub(crate) fn of_program(index: &Index) -> Vec<(String, i64)> {
    let mut found = Vec::new();
    for unit in index.units.iter().filter(|unit| !is_of_system(unit)) {
        let mut entries = unit.entries();
        while let Ok(Some((_, entry))) = entries.next_dfs() {
            if !matches!(entry.tag(), dw::DW_TAG_enumerator | dw::DW_TAG_variable) {
                continue;
            }
            let value = entry.attr_value(dw::DW_AT_const_value).ok().flatten();
            if let (Some(value), Some(name)) = (value.and_then(number), index.name(unit, entry)) {
                found.push((name, value));
            }
        }
    }
    found
}

fn number(value: AttributeValue<crate::dwarf::Reader>) -> Option<i64> {
    match value {
        AttributeValue::Data1(value) => Some(value.into()),
        AttributeValue::Data2(value) => Some(value.into()),
        AttributeValue::Data4(value) => Some(value.into()),
        value => value.sdata_value().or_else(|| i64::try_from(value.udata_value()?).ok()),
    }
}
