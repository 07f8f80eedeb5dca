// SPDX-License-Identifier: MIT OR Apache-2.0
//! Variables in sections of a program's own, which the linker places where it finds room: where the chip has no memory, where
//! start-up fills nothing, or where variables are not read from.

use lichen_image::{Image, Machine, Section};
use lichen_project::{Explain, Place};
use std::ops::Range;

/// Sections of the ATmega128 that are in flash and read from there (`os/chip/atmega128/atmega128.ld`).
const READ_FROM_FLASH: [&str; 4] = [".vectors", ".entries", ".rodata_flash", ".lichen_text"];

/// What is wrong with where a section lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The chip has no memory there.
    NoMemory,
    /// It is in RAM and has values, which nothing copies there.
    NotFilled,
    /// It is in flash, and variables are read from RAM.
    NotRead,
}

impl Wrong {
    fn words(self) -> &'static str {
        match self {
            Wrong::NoMemory => "lies where the chip has no memory",
            Wrong::NotFilled => "is in RAM, where start-up gives it no values",
            Wrong::NotRead => "is in flash, where variables of this chip are not read from",
        }
    }
}

/// A section that is in the wrong place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("section `{section}' {}", wrong.words())]
pub struct SectionError {
    /// Its name.
    pub section: String,
    /// What is wrong.
    pub wrong: Wrong,
    /// Where its first variable is declared.
    pub place: Option<Place>,
}

impl Explain for SectionError {
    fn place(&self) -> Option<Place> {
        self.place.clone()
    }

    fn remedy(&self) -> Option<String> {
        let section = &self.section;
        Some(format!(
            "take section(\"{section}\") away: what has no section of its own is where it works"
        ))
    }
}

/// Refuses an image with such a section. What has not been linked by Lichen's scripts is not judged.
pub(super) fn vet(image: &Image) -> Result<(), SectionError> {
    let Some(memories) = Memories::of(image) else { return Ok(()) };
    for section in image.sections().iter().filter(|section| !section.apart) {
        if let Some(wrong) = memories.wrong(section, || holds_code(image, section)) {
            let place = place(image, section);
            return Err(SectionError { section: section.name.clone(), wrong, place });
        }
    }
    Ok(())
}

/// Addresses at run time.
struct Memories {
    machine: Machine,
    flash: Range<u32>,
    ram: Range<u32>,
    /// What start-up fills of RAM.
    data: Range<u32>,
}

impl Memories {
    /// As the linker scripts say (`os/chip`).
    fn of(image: &Image) -> Option<Memories> {
        let at = |name| Some(image.symbols().find(name)?.address);
        Some(Memories {
            machine: image.machine(),
            flash: 0..at("flash_end")?,
            ram: at("ram_begin")?..at("ram_end")?,
            data: at("data_begin")?..at("data_end")?,
        })
    }

    fn wrong(&self, section: &Section, is_code: impl Fn() -> bool) -> Option<Wrong> {
        let is_in = |memory: &Range<u32>| {
            memory.start <= section.address
                && section.address.saturating_add(section.size) <= memory.end
        };
        if is_in(&self.ram) {
            return (section.stored && !is_in(&self.data)).then_some(Wrong::NotFilled);
        }
        if !is_in(&self.flash) {
            return Some(Wrong::NoMemory);
        }
        let is_read = self.machine == Machine::Arm
            || READ_FROM_FLASH.contains(&section.name.as_str())
            || is_code();
        (!is_read).then_some(Wrong::NotRead)
    }
}

/// The addresses of a section.
fn range(section: &Section) -> Range<u32> {
    section.address..section.address.saturating_add(section.size)
}

fn holds_code(image: &Image, section: &Section) -> bool {
    let range = range(section);
    image.symbols().functions().iter().any(|function| range.contains(&function.address))
}

fn place(image: &Image, section: &Section) -> Option<Place> {
    let variables = image.variables_in(range(section)).into_iter();
    let first = variables.min_by_key(|variable| variable.address)?;
    Some(Place::line(first.file?, first.line?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(machine: Machine, name: &str, range: Range<u32>, stored: bool) -> Option<Wrong> {
        let (flash, ram, data) = (0..0x1E000, 0x80_0100..0x80_1100, 0x80_0100..0x80_0200);
        let section = Section {
            name: name.to_string(),
            address: range.start,
            size: range.end - range.start,
            stored,
            writable: false,
            apart: false,
        };
        Memories { machine, flash, ram, data }.wrong(&section, || name == ".text")
    }

    #[test]
    fn a_section_lies_in_memory_and_has_its_values_there() {
        let avr = |name, range, stored| wrong(Machine::Avr, name, range, stored);
        assert_eq!(avr(".data", 0x80_0100..0x80_0200, true), None);
        assert_eq!(avr(".bss", 0x80_0200..0x80_0300, false), None);
        assert_eq!(avr(".text", 0x200..0x4000, true), None);
        assert_eq!(avr(".rodata_flash", 0x100..0x200, true), None);
        assert_eq!(avr("mytab", 0x80_2DF0..0x80_2DF6, true), Some(Wrong::NoMemory));
        assert_eq!(avr("mytab", 0x80_10FE..0x80_1104, true), Some(Wrong::NoMemory), "its end");
        assert_eq!(avr("mytab", 0x80_0200..0x80_0206, true), Some(Wrong::NotFilled));
        assert_eq!(avr("mytab", 0x4000..0x4006, true), Some(Wrong::NotRead));
        assert_eq!(wrong(Machine::Arm, "mytab", 0x4000..0x4006, true), None, "it is read there");
    }
}
