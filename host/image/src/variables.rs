// SPDX-License-Identifier: MIT OR Apache-2.0
//! Variables by the structures that they contain, for rules about objects that only macros may
//! declare.

use crate::layout::{DEEPEST, Entry, Index, Unit, number_of, referred, type_of};
use gimli::{AttributeValue, Operation, UnitOffset, constants as dw};
use std::collections::HashMap;
use std::ops::Range;

/// A variable, as its source declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its address; `None` on a stack or in registers.
    pub address: Option<u32>,
    /// Its structure, the structure inside that, and so on to the wanted one, if one is wanted.
    pub structures: Vec<String>,
    /// Whether it is an array.
    pub array: bool,
    /// File as the compiler was given it.
    pub file: Option<String>,
    /// Line from 1.
    pub line: Option<u32>,
}

/// All variables that are or contain a `struct wanted`.
pub(crate) fn containing(index: &Index, wanted: &str) -> Vec<Variable> {
    let units = index.units.iter();
    units.flat_map(|unit| Search { index, unit, wanted, known: HashMap::new() }.all()).collect()
}

/// All variables with an address in `range`.
pub(crate) fn inside(index: &Index, range: &Range<u32>) -> Vec<Variable> {
    let placed = index.placed.get_or_init(|| placed(index));
    let at = |address: u32| placed.partition_point(|(place, ..)| *place < address);
    let begin = at(range.start);
    let mut found = placed[begin..at(range.end).max(begin)].to_vec();
    // As their sources declare them.
    found.sort_unstable_by_key(|(_, unit, entry)| (*unit, *entry));
    let variable = |(place, unit, entry): (u32, usize, UnitOffset)| {
        let unit = &index.units[unit];
        let search = Search { index, unit, wanted: "", known: HashMap::new() };
        let entry = unit.entry(entry).ok()?;
        let (at, declared, _) = search.declaration(&entry)?;
        let variable = search.variable(&entry, (at, declared), Vec::new())?;
        Some(Variable { address: Some(place), ..variable })
    };
    found.into_iter().filter_map(variable).collect()
}

/// The last variable that is not behind `address`: its address, its unit and its type.
pub(crate) fn before(index: &Index, address: u32) -> Option<(u32, &Unit, UnitOffset)> {
    let placed = index.placed.get_or_init(|| placed(index));
    let behind = placed.partition_point(|(place, ..)| *place <= address);
    let (place, unit, entry) = placed[..behind].last()?;
    let unit = &index.units[*unit];
    let search = Search { index, unit, wanted: "", known: HashMap::new() };
    let (declared_in, _, type_) = search.declaration(&unit.entry(*entry).ok()?)?;
    Some((*place, declared_in, type_))
}

/// All variables that have an address: address, unit and entry, in this order.
fn placed(index: &Index) -> Vec<(u32, usize, UnitOffset)> {
    let mut placed = Vec::new();
    for (number, unit) in index.units.iter().enumerate() {
        let mut entries = unit.entries();
        while let Ok(Some((_, entry))) = entries.next_dfs() {
            if entry.tag() == dw::DW_TAG_variable {
                placed.extend(address(unit, entry).map(|place| (place, number, entry.offset())));
            }
        }
    }
    placed.sort_unstable();
    placed
}

/// What is known of a variable while its unit is read: several entries may describe it.
struct Declared {
    variable: Variable,
    in_function: bool,
}

/// A search through one unit.
struct Search<'a> {
    index: &'a Index,
    unit: &'a Unit,
    wanted: &'a str,
    /// By type, the structures from the outermost one to the wanted one, if there is one.
    known: HashMap<UnitOffset, Option<Vec<String>>>,
}

impl<'a> Search<'a> {
    /// Variables that the linker dropped are at address 0, and those only declared have no address:
    /// neither counts, except for local variables, which have no address on a stack.
    fn all(mut self) -> Vec<Variable> {
        let mut reported = HashMap::new();
        let mut order = Vec::new();
        let mut depth = 0;
        let mut entries = self.unit.entries();
        while let Ok(Some((delta, entry))) = entries.next_dfs() {
            depth += delta;
            if !matches!(entry.tag(), dw::DW_TAG_variable | dw::DW_TAG_formal_parameter) {
                continue;
            }
            if is_declared_only(entry) {
                continue;
            }
            let Some((unit, declared, type_)) = self.declaration(entry) else { continue };
            let path = match std::ptr::eq(unit, self.unit) {
                true => self.path(type_, 0),
                false => self.within(unit).path(type_, 0),
            };
            let Some(structures) = path else { continue };
            let Some(variable) = self.variable(entry, (unit, declared), structures) else {
                continue;
            };
            let declared = (std::ptr::from_ref(unit), declared);
            let known = reported.entry(declared).or_insert_with(|| {
                order.push(declared);
                Declared { variable, in_function: depth > 1 }
            });
            known.variable.address = known.variable.address.or_else(|| address(self.unit, entry));
        }
        let found = order.iter().filter_map(|declared| reported.remove(declared));
        let exists = |reported: &Declared| match reported.variable.address {
            Some(address) => address != 0,
            None => reported.in_function,
        };
        found.filter(exists).map(|reported| reported.variable).collect()
    }

    /// The entry that declares the variable of `entry`, which may be itself, and the variable's type. A
    /// definition refers to a declaration before it, an inlined copy to its original.
    fn declaration(&self, entry: &Entry<'_>) -> Option<(&'a Unit, UnitOffset, UnitOffset)> {
        let (mut unit, mut at) = (self.unit, entry.offset());
        for _ in 0..DEEPEST {
            let entry = unit.entry(at).ok()?;
            if let Some(type_) = type_of(&entry) {
                return Some((unit, at, type_));
            }
            let refers = |attribute| referred(self.index, unit, &entry, attribute);
            (unit, at) =
                refers(dw::DW_AT_specification).or_else(|| refers(dw::DW_AT_abstract_origin))?;
        }
        None
    }

    /// The same search in another unit.
    fn within(&self, unit: &'a Unit) -> Search<'a> {
        Search { unit, known: HashMap::new(), ..*self }
    }

    /// The structures from a type down to the wanted one.
    fn path(&mut self, type_: UnitOffset, depth: u32) -> Option<Vec<String>> {
        if let Some(known) = self.known.get(&type_) {
            return known.clone();
        }
        // Damaged information can say that a structure contains itself.
        self.known.insert(type_, None);
        let found = if depth < DEEPEST { self.find(type_, depth) } else { None };
        self.known.insert(type_, found.clone());
        found
    }

    fn find(&mut self, type_: UnitOffset, depth: u32) -> Option<Vec<String>> {
        let entry = self.unit.entry(type_).ok()?;
        match entry.tag() {
            dw::DW_TAG_structure_type | dw::DW_TAG_union_type => {
                let name = self.index.name(self.unit, &entry).unwrap_or_default();
                if name == self.wanted {
                    return Some(vec![name]);
                }
                let inner =
                    self.members(type_).into_iter().find_map(|m| self.path(m, depth + 1))?;
                Some([vec![name], inner].concat())
            }
            dw::DW_TAG_pointer_type | dw::DW_TAG_subroutine_type => None,
            _ => self.path(type_of(&entry)?, depth + 1),
        }
    }

    /// The types of a structure's members.
    fn members(&self, structure: UnitOffset) -> Vec<UnitOffset> {
        let mut types = Vec::new();
        let Ok(mut tree) = self.unit.entries_tree(Some(structure)) else { return types };
        let Ok(root) = tree.root() else { return types };
        let mut children = root.children();
        while let Ok(Some(child)) = children.next() {
            if child.entry().tag() == dw::DW_TAG_member {
                types.extend(type_of(child.entry()));
            }
        }
        types
    }

    /// What an entry and the declaration at `declared` say together; an unnamed parameter is not a
    /// variable.
    fn variable(
        &self,
        entry: &Entry<'_>,
        (unit, declared): (&'a Unit, UnitOffset),
        structures: Vec<String>,
    ) -> Option<Variable> {
        let search = self.within(unit);
        let declaration = unit.entry(declared).ok()?;
        let line = |entry| number_of(entry, dw::DW_AT_decl_line);
        let file = |of: &Search<'_>, entry: &Entry<'_>| match entry
            .attr_value(dw::DW_AT_decl_file)
            .ok()??
        {
            AttributeValue::FileIndex(number) => of.file(number),
            value => of.file(value.udata_value()?),
        };
        Some(Variable {
            name: self.index.name(unit, &declaration)?,
            address: None,
            structures,
            array: search.is_array(&declaration),
            file: file(self, entry).or_else(|| file(&search, &declaration)),
            line: line(entry).or_else(|| line(&declaration)).and_then(|line| line.try_into().ok()),
        })
    }

    fn is_array(&self, entry: &Entry<'_>) -> bool {
        let type_ = type_of(entry).and_then(|type_| self.unit.entry(type_).ok());
        type_.is_some_and(|type_| type_.tag() == dw::DW_TAG_array_type)
    }

    /// Path of a file of the unit's table.
    fn file(&self, number: u64) -> Option<String> {
        let header = self.unit.line_program.as_ref()?.header();
        let file = header.file(number)?;
        let text = |value| {
            let text = self.index.dwarf.attr_string(self.unit, value).ok()?;
            Some(String::from_utf8_lossy(&text).into_owned())
        };
        let name = text(file.path_name())?;
        let folder = file.directory(header).and_then(text).unwrap_or_default();
        let is_whole = folder.is_empty() || name.starts_with('/');
        Some(if is_whole { name } else { format!("{folder}/{name}") })
    }
}

fn is_declared_only(entry: &Entry<'_>) -> bool {
    matches!(entry.attr_value(dw::DW_AT_declaration), Ok(Some(_)))
}

/// The address of a variable that has a fixed one.
fn address(unit: &Unit, entry: &Entry<'_>) -> Option<u32> {
    let AttributeValue::Exprloc(place) = entry.attr_value(dw::DW_AT_location).ok()?? else {
        return None;
    };
    match place.operations(unit.encoding()).next().ok()?? {
        Operation::Address { address } => u32::try_from(address).ok(),
        _ => None,
    }
}
