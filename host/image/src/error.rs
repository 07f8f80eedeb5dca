// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of images: each message says what was found and what to do.

use std::path::PathBuf;

/// Why a file is not an image for the chip.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file does not begin like one of the formats that are read.
    #[error(
        "{file}: neither an ELF file nor Intel HEX nor S-records (it begins with {found}); give the file \
         that the linker wrote: .elf, or as TinyOS calls it, main.exe"
    )]
    NotElf {
        /// The file.
        file: String,
        /// What it begins with, described in words.
        found: String,
    },
    /// An ELF file for something else.
    #[error(
        "{file}: made for {found}, which no mote executes; known are executables for {known}, 32-bit and \
         little-endian"
    )]
    OtherMachine {
        /// The file.
        file: String,
        /// Machine, class and byte order of the file.
        found: String,
        /// The machines that are known.
        known: String,
    },
    /// An image for another machine than that of the chip.
    #[error(
        "{file}: made for {found}, but the {part} executes {wanted}; build it for this board, or choose a \
         board whose chip executes {found}"
    )]
    OtherArchitecture {
        /// The file.
        file: String,
        /// Its machine.
        found: crate::Machine,
        /// The chip.
        part: String,
        /// The chip's architecture.
        wanted: &'static str,
    },
    /// An image for other cores of the machine than that of the chip.
    #[error(
        "{file}: made for {machine} of the family {found}, but the {part} executes {wanted}; build it for \
         this board, or choose a board with such a chip"
    )]
    OtherVariant {
        /// The file.
        file: String,
        /// Its machine.
        machine: crate::Machine,
        /// The family of its cores.
        found: crate::Variant,
        /// The chip.
        part: String,
        /// The chip's family.
        wanted: crate::Variant,
    },
    /// An image for another chip, whose peripherals are others.
    #[error(
        "{file}: made for the {found}, but the board has an {part}, whose registers and memories are \
         others; build it for this board, or choose a board whose chip it is made for"
    )]
    OtherChip {
        /// The file.
        file: String,
        /// The chip that it is made for.
        found: String,
        /// The chip.
        part: String,
    },
    /// Something is outside the chip's memories at run time.
    #[error(
        "{file}: its section {section} is at 0x{address:06x}..0x{end:06x} when it runs, outside the \
         memories of the {part}: {memories}; it is made for another chip, or needs more RAM than there is"
    )]
    RunsOutside {
        /// The file.
        file: String,
        /// Name of the section.
        section: String,
        /// Where it begins.
        address: u32,
        /// First address after it.
        end: u64,
        /// The chip.
        part: String,
        /// Its memories with their sizes.
        memories: String,
    },
    /// No segment is in flash.
    #[error("{file}: has nothing in flash, so there is nothing to execute")]
    NoCode {
        /// The file.
        file: String,
    },
    /// An object file, a shared library or a core dump.
    #[error("{file}: {found}, not an executable; link it first")]
    NotExecutable {
        /// The file.
        file: String,
        /// What it is.
        found: &'static str,
    },
    /// A header contradicts the file.
    #[error("{file}: damaged ELF file: {what}; build it again or copy it whole")]
    Damaged {
        /// The file.
        file: String,
        /// What contradicts what.
        what: String,
    },
    /// A record of a file without a header makes no sense.
    #[error("{file}:{line}: damaged {format} record: {what}; build it again or copy it whole")]
    DamagedRecord {
        /// The file.
        file: String,
        /// Line in it, from 1.
        line: usize,
        /// Its format.
        format: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// Nothing to load.
    #[error("{file}: has no loadable segments, so there is nothing to run")]
    Empty {
        /// The file.
        file: String,
    },
    /// A segment lies outside the chip's memories.
    #[error(
        "{file}: segment 0x{address:08x}..0x{end:08x} ({size} bytes) is outside the memories of the \
         {part}: {memories}"
    )]
    Outside {
        /// The file.
        file: String,
        /// Where the segment begins.
        address: u32,
        /// First address after it.
        end: u64,
        /// Bytes.
        size: u64,
        /// The chip.
        part: String,
        /// Its memories with their sizes.
        memories: String,
    },
    /// A segment begins in a memory and extends beyond its end.
    #[error(
        "{file}: segment 0x{address:08x}..0x{end:08x} is {over} bytes too large for the {memory} of \
         the {part} ({size} bytes); make the program smaller or choose another chip"
    )]
    TooLarge {
        /// The file.
        file: String,
        /// Where the segment begins.
        address: u32,
        /// First address after it.
        end: u64,
        /// Bytes that do not fit.
        over: u64,
        /// Name of the memory.
        memory: &'static str,
        /// Its size in bytes.
        size: u64,
        /// The chip.
        part: String,
    },
    /// The chip would not start with this vector table.
    #[error("{file}: the vector table at 0x{table:08x} cannot start the chip: {what}")]
    Vectors {
        /// The file.
        file: String,
        /// Address of the table.
        table: u32,
        /// What is wrong, and its likely cause.
        what: String,
    },
}
