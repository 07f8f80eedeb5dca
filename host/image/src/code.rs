// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where an image holds instructions: constants lie between functions, and only marks distinguish
//! them (ELF for the Arm Architecture, "mapping symbols").

use crate::Machine;
use crate::elf::File;
use object::{Object, ObjectSection, ObjectSymbol, SectionKind};
use std::ops::Range;

/// Ranges of instructions, by address. Debug information has marks, too, at places that are not
/// addresses: only those of the section itself count. Only ARM's compilers make marks.
pub(crate) fn code(file: &File<'_>, machine: Machine) -> Vec<Range<u32>> {
    let mut ranges = Vec::new();
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let (start, end) = (section.address() as u32, (section.address() + section.size()) as u32);
        if machine != Machine::Arm {
            ranges.push(start..end);
            continue;
        }
        let mut marks: Vec<(u32, bool)> = file
            .symbols()
            .filter(|symbol| symbol.section_index() == Some(section.index()))
            .filter_map(|symbol| Some((symbol.address() as u32, marks_code(symbol.name().ok()?)?)))
            .collect();
        marks.sort_unstable();
        marks.dedup();
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
