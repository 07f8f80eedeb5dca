// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where an image holds instructions: constants lie between functions, and only marks distinguish
//! them (ELF for the Arm Architecture, "mapping symbols"), or the sizes of those that have names.

use crate::Machine;
use crate::elf::File;
use object::{Object, ObjectSection, ObjectSymbol, SectionIndex, SectionKind, SymbolKind};
use std::ops::Range;

/// Ranges of instructions, by address.
pub(crate) fn code(file: &File<'_>, machine: Machine) -> Vec<Range<u32>> {
    let mut ranges = Vec::new();
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let marks = match machine {
            Machine::Arm => marks(file, section.index()),
            Machine::Avr => constants(file, &section),
        };
        let end = section.address().saturating_add(section.size()) as u32;
        for (index, (start, is_code)) in marks.iter().enumerate() {
            let next = marks.get(index + 1).map_or(end, |mark| mark.0);
            if *is_code && *start < next {
                ranges.push(*start..next);
            }
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// Where code and constants begin, as ARM's compilers mark it. Debug information has marks, too, at places
/// that are not addresses: only those of the section itself count.
fn marks(file: &File<'_>, section: SectionIndex) -> Vec<(u32, bool)> {
    let mut marks: Vec<(u32, bool)> = file
        .symbols()
        .filter(|symbol| symbol.section_index() == Some(section))
        .filter_map(|symbol| Some((symbol.address() as u32, marks_code(symbol.name().ok()?)?)))
        .collect();
    marks.sort_unstable();
    marks.dedup();
    marks
}

/// The same where nothing is marked: objects with a size are constants, everything else is code.
fn constants<'data>(file: &File<'data>, section: &impl ObjectSection<'data>) -> Vec<(u32, bool)> {
    let mut objects: Vec<(u32, u32)> = file
        .symbols()
        .filter(|symbol| symbol.section_index() == Some(section.index()))
        .filter(|symbol| symbol.kind() == SymbolKind::Data && symbol.size() > 0)
        .map(|symbol| (symbol.address() as u32, symbol.size() as u32))
        .collect();
    objects.sort_unstable();
    let mut marks = vec![(section.address() as u32, true)];
    for (start, size) in objects {
        // Instructions are at even addresses.
        let end = start.saturating_add(size).saturating_add(1) & !1;
        let last = marks.last().map_or(0, |mark| mark.0);
        if start >= last {
            marks.extend([(start, false), (end, true)]);
        }
    }
    marks
}

/// Whether a symbol of this name marks the beginning of Thumb code, or of data.
fn marks_code(name: &str) -> Option<bool> {
    let is = |mark: &str| {
        name == mark || name.strip_prefix(mark).is_some_and(|rest| rest.starts_with('.'))
    };
    if is("$t") {
        Some(true)
    } else if is("$d") {
        Some(false)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_known_by_their_names() {
        assert_eq!(marks_code("$t"), Some(true));
        assert_eq!(marks_code("$d.42"), Some(false));
        assert_eq!(marks_code("$tail"), None);
        assert_eq!(marks_code("main"), None);
    }
}
