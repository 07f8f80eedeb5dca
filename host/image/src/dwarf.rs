// SPDX-License-Identifier: MIT OR Apache-2.0
//! Debug sections of an image, in the form that the readers of lines and layouts need.

use gimli::{EndianArcSlice, LittleEndian};
use object::read::elf::ElfFile32;
use object::{Endianness, Object, ObjectSection};
use std::sync::Arc;

/// Bytes that the debug information shares with its readers.
pub(crate) type Reader = EndianArcSlice<LittleEndian>;
/// All debug sections.
pub(crate) type Dwarf = gimli::Dwarf<Reader>;

/// One section of the ELF file `bytes`; `None` if it is missing or compressed in an unknown way.
pub(crate) fn section(bytes: &[u8], id: gimli::SectionId) -> Option<Reader> {
    let file = ElfFile32::<Endianness>::parse(bytes).ok()?;
    let data = file.section_by_name(id.name())?.uncompressed_data().ok()?;
    Some(EndianArcSlice::new(Arc::from(&*data), LittleEndian))
}

/// Collects the debug sections of the ELF file `bytes`; sections that are missing or compressed
/// are empty.
pub(crate) fn load(bytes: &[u8]) -> Option<Dwarf> {
    let file = ElfFile32::<Endianness>::parse(bytes).ok()?;
    let section = |id: gimli::SectionId| -> Result<Reader, gimli::Error> {
        let data = file
            .section_by_name(id.name())
            .and_then(|section| section.uncompressed_data().ok())
            .unwrap_or_default();
        Ok(EndianArcSlice::new(Arc::from(&*data), LittleEndian))
    };
    Dwarf::load(section).ok()
}
