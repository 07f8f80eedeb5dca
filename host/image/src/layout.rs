// SPDX-License-Identifier: MIT OR Apache-2.0
//! The layouts of structures, for reading a kernel's data from memory by the names in its source.

use crate::Machine;
use crate::dwarf::{self, Dwarf, Reader};
use gimli::{AttributeValue, DebuggingInformationEntry, Operation, UnitOffset, constants as dw};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// A member of a structure. Members of unnamed inner structures and unions count as the outer's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Bytes from the start of the structure.
    pub offset: u32,
    /// Bytes; 0 if the debug information does not say.
    pub size: u32,
    /// Name of the structure that the member is or points to, if it is one with a name.
    pub structure: Option<String>,
    /// Where it points, if it is a pointer, or an array of pointers.
    pub points_to: Option<Pointee>,
}

/// What a pointer points to, on machines whose pointers of each kind are numbers of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointee {
    /// Data.
    Data,
    /// Constants in flash that the program reads by other instructions than data; the number is the
    /// address that a pointer of value 0 means.
    Flash(u32),
    /// A function.
    Code,
}

/// The layout of a structure in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// Bytes.
    pub size: u32,
    /// In the order of the source.
    pub members: Vec<Member>,
}

impl Structure {
    /// The member called `name`.
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }
}

/// An enumeration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Names and values, in the order of the source.
    pub values: Vec<(String, i64)>,
}

impl Enumeration {
    /// Name of `value`.
    pub fn name(&self, value: i64) -> Option<&str> {
        self.values.iter().find(|(_, known)| *known == value).map(|(name, _)| name.as_str())
    }
}

pub(crate) type Unit = gimli::Unit<Reader>;
pub(crate) type Entry<'a> = DebuggingInformationEntry<'a, 'a, Reader, usize>;

/// Where a name is defined: unit and entry.
type Definition = (usize, UnitOffset);

/// Address classes of avr-gcc: `__flash` is 1, and `__flash1` to `__flash5` are the segments behind it (GCC
/// manual, "Named Address Spaces").
const FLASH_SEGMENTS: std::ops::RangeInclusive<u64> = 1..=6;

/// Types deeper than this are not followed: damaged information can refer to itself.
pub(crate) const DEEPEST: u32 = 16;

/// The debug information, indexed by type names.
pub(crate) struct Index {
    pub(crate) dwarf: Dwarf,
    pub(crate) units: Vec<Unit>,
    machine: Machine,
    structures: HashMap<String, Definition>,
    enumerations: HashMap<String, Definition>,
    /// Address, unit and entry of all variables that have an address, in this order.
    pub(crate) placed: OnceLock<Vec<(u32, usize, UnitOffset)>>,
}

/// All layouts of an image, indexed on first use.
pub(crate) struct Layouts {
    bytes: Arc<[u8]>,
    machine: Machine,
    index: OnceLock<Option<Box<Index>>>,
}

impl std::fmt::Debug for Layouts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Layouts")
    }
}

impl Layouts {
    pub(crate) fn new(bytes: Arc<[u8]>, machine: Machine) -> Layouts {
        Layouts { bytes, machine, index: OnceLock::new() }
    }

    pub(crate) fn index(&self) -> Option<&Index> {
        let build = |dwarf| Index::build(dwarf, self.machine).map(Box::new);
        self.index.get_or_init(|| dwarf::load(&self.bytes).and_then(build)).as_deref()
    }

    pub(crate) fn structure(&self, name: &str) -> Option<Structure> {
        let index = self.index()?;
        index.structure(*index.structures.get(name)?)
    }

    pub(crate) fn enumeration(&self, name: &str) -> Option<Enumeration> {
        let index = self.index()?;
        index.enumeration(*index.enumerations.get(name)?)
    }
}

impl Index {
    fn build(dwarf: Dwarf, machine: Machine) -> Option<Index> {
        let mut index = Index {
            units: Vec::new(),
            machine,
            structures: HashMap::new(),
            enumerations: HashMap::new(),
            placed: OnceLock::new(),
            dwarf,
        };
        let mut headers = index.dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            if let Ok(unit) = index.dwarf.unit(header) {
                index.units.push(unit);
            }
        }
        let all = 0..index.units.len();
        let (system, other): (Vec<_>, Vec<_>) =
            all.partition(|number| is_of_system(&index.units[*number]));
        for number in system.into_iter().chain(other) {
            index.add_names(number);
        }
        Some(index)
    }

    /// Adds the types at the top level of a unit; the first definition of a name wins. Those of the system
    /// come first: a program may have types of its own with the same names.
    fn add_names(&mut self, number: usize) -> Option<()> {
        let unit = &self.units[number];
        let mut tree = unit.entries_tree(None).ok()?;
        let mut children = tree.root().ok()?.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            let Some(name) = self.name(unit, entry) else { continue };
            let Some((tag, offset)) = self.definition(unit, entry, 0) else { continue };
            let names = match tag {
                dw::DW_TAG_enumeration_type => &mut self.enumerations,
                _ => &mut self.structures,
            };
            names.entry(name).or_insert((number, offset));
        }
        Some(())
    }

    /// The structure or enumeration behind a type entry, through typedefs and qualifiers.
    fn definition(
        &self,
        unit: &Unit,
        entry: &Entry<'_>,
        depth: u32,
    ) -> Option<(gimli::DwTag, UnitOffset)> {
        match entry.tag() {
            tag @ (dw::DW_TAG_structure_type
            | dw::DW_TAG_union_type
            | dw::DW_TAG_enumeration_type) => {
                let declared = entry.attr_value(dw::DW_AT_declaration).ok()?.is_some();
                (!declared).then_some((tag, entry.offset()))
            }
            dw::DW_TAG_typedef
            | dw::DW_TAG_const_type
            | dw::DW_TAG_volatile_type
            | dw::DW_TAG_atomic_type
                if depth < DEEPEST =>
            {
                let target = unit.entry(type_of(entry)?).ok()?;
                self.definition(unit, &target, depth + 1)
            }
            _ => None,
        }
    }

    pub(crate) fn name(&self, unit: &Unit, entry: &Entry<'_>) -> Option<String> {
        let value = entry.attr_value(dw::DW_AT_name).ok()??;
        let text = self.dwarf.attr_string(unit, value).ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }

    /// Unit and entry of `struct name`.
    pub(crate) fn structure_entry(&self, name: &str) -> Option<(&Unit, UnitOffset)> {
        let (number, offset) = *self.structures.get(name)?;
        Some((&self.units[number], offset))
    }

    fn structure(&self, (number, offset): Definition) -> Option<Structure> {
        let unit = &self.units[number];
        let size = number_of(&unit.entry(offset).ok()?, dw::DW_AT_byte_size)? as u32;
        let mut members = Vec::new();
        self.add_members(unit, offset, 0, 0, &mut members)?;
        Some(Structure { size, members })
    }

    fn add_members(
        &self,
        unit: &Unit,
        offset: UnitOffset,
        base: u32,
        depth: u32,
        into: &mut Vec<Member>,
    ) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        let mut tree = unit.entries_tree(Some(offset)).ok()?;
        let mut children = tree.root().ok()?.children();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            if entry.tag() != dw::DW_TAG_member {
                continue;
            }
            let at = base.checked_add(u32::try_from(offset_of(unit, entry)).ok()?)?;
            let Some(target) = type_of(entry) else { continue };
            match self.name(unit, entry) {
                Some(name) => {
                    let (size, structure) = self.describe(unit, target, depth);
                    let points_to = self.pointee(unit, target, depth);
                    into.push(Member { name, offset: at, size, structure, points_to });
                }
                None => self.add_members(unit, target, at, depth + 1, into)?,
            }
        }
        Some(())
    }

    /// Where the members of a structure are, and their types.
    pub(crate) fn members(&self, unit: &Unit, of: UnitOffset) -> Option<Vec<(u32, UnitOffset)>> {
        let mut tree = unit.entries_tree(Some(of)).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut members = Vec::new();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            let at = u32::try_from(offset_of(unit, entry)).ok()?;
            let type_ = type_of(entry).filter(|_| entry.tag() == dw::DW_TAG_member);
            members.extend(type_.map(|type_| (at, type_)));
        }
        Some(members)
    }

    /// Size of a type, and the structure that it is, or points to.
    pub(crate) fn describe(
        &self,
        unit: &Unit,
        offset: UnitOffset,
        depth: u32,
    ) -> (u32, Option<String>) {
        let Ok(entry) = unit.entry(offset) else { return (0, None) };
        let own = number_of(&entry, dw::DW_AT_byte_size).map(|size| size as u32);
        if depth > DEEPEST {
            return (own.unwrap_or(0), None);
        }
        let inner = || match type_of(&entry) {
            Some(target) => self.describe(unit, target, depth + 1),
            None => (0, None),
        };
        match entry.tag() {
            dw::DW_TAG_structure_type | dw::DW_TAG_union_type => {
                (own.unwrap_or(0), self.name(unit, &entry))
            }
            dw::DW_TAG_pointer_type => (own.unwrap_or(self.machine.pointer_bytes()), inner().1),
            dw::DW_TAG_array_type => {
                let (size, structure) = inner();
                (size.saturating_mul(elements(unit, offset).unwrap_or(0)), structure)
            }
            dw::DW_TAG_base_type | dw::DW_TAG_enumeration_type => (own.unwrap_or(0), None),
            _ => inner(),
        }
    }

    /// What a type points to, if it is a pointer behind its names and qualifiers.
    fn pointee(&self, unit: &Unit, offset: UnitOffset, depth: u32) -> Option<Pointee> {
        let entry = unit.entry(offset).ok().filter(|_| depth <= DEEPEST)?;
        match entry.tag() {
            dw::DW_TAG_pointer_type => {
                let target = type_of(&entry);
                Some(match address_class(&entry) {
                    _ if target.is_some_and(|target| self.is_function(unit, target, depth)) => {
                        Pointee::Code
                    }
                    Some(segment) if FLASH_SEGMENTS.contains(&segment) => {
                        Pointee::Flash((segment as u32 - 1) << 16)
                    }
                    _ => Pointee::Data,
                })
            }
            dw::DW_TAG_structure_type | dw::DW_TAG_union_type => None,
            _ => self.pointee(unit, type_of(&entry)?, depth + 1),
        }
    }

    fn is_function(&self, unit: &Unit, offset: UnitOffset, depth: u32) -> bool {
        let Ok(entry) = unit.entry(offset) else { return false };
        match entry.tag() {
            dw::DW_TAG_subroutine_type => true,
            dw::DW_TAG_typedef | dw::DW_TAG_const_type if depth < DEEPEST => {
                type_of(&entry).is_some_and(|inner| self.is_function(unit, inner, depth + 1))
            }
            _ => false,
        }
    }

    fn enumeration(&self, (number, offset): Definition) -> Option<Enumeration> {
        let unit = &self.units[number];
        let mut tree = unit.entries_tree(Some(offset)).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut values = Vec::new();
        while let Ok(Some(child)) = children.next() {
            let entry = child.entry();
            let value = entry.attr_value(dw::DW_AT_const_value).ok().flatten();
            let value = value.and_then(|value| enumerator(&value));
            if let (Some(name), Some(value)) = (self.name(unit, entry), value) {
                values.push((name, value));
            }
        }
        Some(Enumeration { values })
    }
}

/// Files of the system are named from the root of its repository (`os/lichen.cmake`).
pub(crate) fn is_of_system(unit: &Unit) -> bool {
    unit.name.as_ref().is_some_and(|name| name.starts_with(b"os/"))
}

/// The entry that an attribute refers to. Where the compiler makes code of several files at once, that is in the unit of the
/// file, and the code in a unit of its own.
pub(crate) fn referred<'i>(
    index: &'i Index,
    unit: &'i Unit,
    entry: &Entry<'_>,
    attribute: gimli::DwAt,
) -> Option<(&'i Unit, UnitOffset)> {
    match entry.attr_value(attribute).ok()?? {
        AttributeValue::UnitRef(offset) => Some((unit, offset)),
        AttributeValue::DebugInfoRef(offset) => {
            index.units.iter().find_map(|unit| Some((unit, offset.to_unit_offset(&unit.header)?)))
        }
        _ => None,
    }
}

pub(crate) fn type_of(entry: &Entry<'_>) -> Option<UnitOffset> {
    match entry.attr_value(dw::DW_AT_type).ok()?? {
        AttributeValue::UnitRef(offset) => Some(offset),
        _ => None,
    }
}

/// The value of an enumerator. Compilers write negative ones as signed numbers, and all others as unsigned
/// ones of few bytes, whose uppermost bit is no sign.
fn enumerator<R: gimli::Reader>(value: &AttributeValue<R>) -> Option<i64> {
    let unsigned = value.udata_value().and_then(|value| i64::try_from(value).ok());
    unsigned.or_else(|| value.sdata_value())
}

fn address_class(entry: &Entry<'_>) -> Option<u64> {
    match entry.attr_value(dw::DW_AT_address_class).ok()?? {
        AttributeValue::AddressClass(class) => Some(class.0),
        value => value.udata_value(),
    }
}

pub(crate) fn number_of(entry: &Entry<'_>, attribute: gimli::DwAt) -> Option<u64> {
    entry.attr_value(attribute).ok()??.udata_value()
}

/// Bytes from the start of a structure to a member: a number, or until DWARF 2 an expression that adds it
/// to the structure's address.
fn offset_of(unit: &Unit, entry: &Entry<'_>) -> u64 {
    let expression = match entry.attr_value(dw::DW_AT_data_member_location) {
        Ok(Some(AttributeValue::Exprloc(expression))) => expression,
        _ => return number_of(entry, dw::DW_AT_data_member_location).unwrap_or(0),
    };
    match expression.operations(unit.encoding()).next() {
        Ok(Some(Operation::PlusConstant { value })) => value,
        _ => 0,
    }
}

/// Number of elements of an array, over all its dimensions.
fn elements(unit: &Unit, array: UnitOffset) -> Option<u32> {
    let mut tree = unit.entries_tree(Some(array)).ok()?;
    let mut children = tree.root().ok()?.children();
    let mut count: u32 = 1;
    while let Ok(Some(child)) = children.next() {
        let entry = child.entry();
        if entry.tag() == dw::DW_TAG_subrange_type {
            let bound = number_of(entry, dw::DW_AT_upper_bound).map(|last| last.checked_add(1));
            let bound = bound.flatten().or_else(|| number_of(entry, dw::DW_AT_count))?;
            count = count.saturating_mul(u32::try_from(bound).ok()?);
        }
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerators_are_signed_only_if_they_are_negative() {
        type Value = AttributeValue<gimli::EndianSlice<'static, gimli::LittleEndian>>;
        assert_eq!(enumerator(&Value::Data1(150)), Some(150));
        assert_eq!(enumerator(&Value::Udata(1 << 40)), Some(1 << 40));
        assert_eq!(enumerator(&Value::Sdata(-3)), Some(-3));
    }
}
