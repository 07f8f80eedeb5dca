// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prototypes of functions: for telling which ones a pointer of a structure may lead to.

use crate::layout::{DEEPEST, Entry, Index, Unit, referred, type_of};
use gimli::{AttributeValue, UnitOffset, constants as dw};
use std::collections::HashMap;

/// The prototype of what a member of a structure points to, such as `void(struct event*)`.
pub(crate) fn of_member(index: &Index, structure: &str, member: &str) -> Option<String> {
    let (unit, offset) = index.structure_entry(structure)?;
    let mut tree = unit.entries_tree(Some(offset)).ok()?;
    let mut children = tree.root().ok()?.children();
    while let Ok(Some(child)) = children.next() {
        let entry = child.entry();
        if entry.tag() == dw::DW_TAG_member && index.name(unit, entry).as_deref() == Some(member) {
            return text(index, unit, type_of(entry)?, 0).strip_suffix('*').map(str::to_string);
        }
    }
    None
}

/// All functions of C that have an address, and their prototypes.
pub(crate) fn of_functions(index: &Index) -> HashMap<u32, String> {
    let mut found = HashMap::new();
    for unit in index.units.iter().filter(|unit| !is_assembly(unit)) {
        let mut entries = unit.entries();
        while let Ok(Some((_, entry))) = entries.next_dfs() {
            if entry.tag() != dw::DW_TAG_subprogram {
                continue;
            }
            if let (Some(address), Some((unit, origin))) =
                (address(index, unit, entry), origin(index, unit, entry))
            {
                found.insert(address & !1, prototype(index, unit, origin, 0));
            }
        }
    }
    found
}

/// Functions of assembly have entries, too, and no prototypes.
fn is_assembly(unit: &Unit) -> bool {
    let mut entries = unit.entries();
    let root = entries.next_dfs().ok().flatten().map(|(_, entry)| entry);
    let language = root.and_then(|entry| entry.attr_value(dw::DW_AT_language).ok().flatten());
    matches!(language, Some(AttributeValue::Language(dw::DW_LANG_Mips_Assembler)))
}

/// What the linker dropped is at address 0.
fn address(index: &Index, unit: &Unit, entry: &Entry<'_>) -> Option<u32> {
    let value = entry.attr_value(dw::DW_AT_low_pc).ok()??;
    let address = index.dwarf.attr_address(unit, value).ok()??;
    u32::try_from(address).ok().filter(|address| *address != 0)
}

/// The entry that has the type: a copy and a definition refer to another one.
pub(crate) fn origin<'i>(
    index: &'i Index,
    unit: &'i Unit,
    entry: &Entry<'_>,
) -> Option<(&'i Unit, UnitOffset)> {
    let (mut unit, mut at) = (unit, entry.offset());
    for _ in 0..DEEPEST {
        let entry = unit.entry(at).ok()?;
        let refers = |attribute| referred(index, unit, &entry, attribute);
        match refers(dw::DW_AT_abstract_origin).or_else(|| refers(dw::DW_AT_specification)) {
            Some(found) => (unit, at) = found,
            None => return Some((unit, at)),
        }
    }
    None
}

/// Result and parameters of a function, or of the type of functions.
fn prototype(index: &Index, unit: &Unit, function: UnitOffset, depth: u32) -> String {
    let result = unit.entry(function).ok().and_then(|entry| type_of(&entry));
    let mut parameters = Vec::new();
    if let Ok(mut tree) = unit.entries_tree(Some(function))
        && let Ok(root) = tree.root()
    {
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            match child.entry().tag() {
                dw::DW_TAG_formal_parameter => {
                    let parameter = type_of(child.entry());
                    parameters.push(type_text(index, unit, parameter, depth));
                }
                dw::DW_TAG_unspecified_parameters => parameters.push("...".to_string()),
                _ => {}
            }
        }
    }
    format!("{}({})", type_text(index, unit, result, depth), parameters.join(","))
}

fn type_text(index: &Index, unit: &Unit, type_: Option<UnitOffset>, depth: u32) -> String {
    type_.map_or_else(|| "void".to_string(), |type_| text(index, unit, type_, depth))
}

/// A type without its qualifiers and other names.
fn text(index: &Index, unit: &Unit, type_: UnitOffset, depth: u32) -> String {
    let Ok(entry) = unit.entry(type_) else { return "?".to_string() };
    if depth > DEEPEST {
        return "?".to_string();
    }
    let inner = || type_text(index, unit, type_of(&entry), depth + 1);
    let name = || index.name(unit, &entry).unwrap_or_default();
    match entry.tag() {
        dw::DW_TAG_pointer_type => format!("{}*", inner()),
        dw::DW_TAG_subroutine_type => prototype(index, unit, type_, depth + 1),
        dw::DW_TAG_structure_type => format!("struct {}", name()),
        dw::DW_TAG_union_type => format!("union {}", name()),
        dw::DW_TAG_enumeration_type => format!("enum {}", name()),
        dw::DW_TAG_array_type => format!("{}[]", inner()),
        dw::DW_TAG_base_type => name(),
        _ => inner(),
    }
}
