// SPDX-License-Identifier: MIT OR Apache-2.0
//! Images for AVR: their addresses are linear, and a chip of another architecture refuses them.

use lichen_image::{Image, Machine, Region, Target};

const EM_AVR: u16 = 83;
/// Where the data space begins in addresses of ELF files, and SRAM of an ATmega128 in it.
const DATA: u32 = 0x0080_0000;
const SRAM: u32 = DATA + 0x100;
const EEPROM: u32 = 0x0081_0000;

const PT_LOAD: u32 = 1;
const HEADER: usize = 52;
const PROGRAM_HEADER: usize = 32;
const SECTION_HEADER: usize = 40;

/// A section: name, type, flags, address at run time, contents, and what its type says of the rest.
struct Section {
    name: &'static str,
    header: [u32; 3],
    bytes: Vec<u8>,
    /// `sh_link`, `sh_info`, `sh_entsize`.
    rest: [u32; 3],
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// An executable with these sections, of which the first ones are loaded at these addresses.
fn executable(sections: &[Section], loaded_at: &[u32]) -> Vec<u8> {
    let mut names = vec![0];
    let (mut contents, mut headers, mut segments) = (Vec::new(), Vec::new(), Vec::new());
    let begin = HEADER + PROGRAM_HEADER * loaded_at.len();
    for (index, section) in sections.iter().enumerate() {
        let (at, size) = ((begin + contents.len()) as u32, section.bytes.len() as u32);
        let [kind, flags, address] = section.header;
        let [link, info, entry] = section.rest;
        let name = names.len() as u32;
        headers.extend(words(&[name, kind, flags, address, at, size, link, info, 1, entry]));
        names.extend(section.name.bytes().chain([0]));
        contents.extend(&section.bytes);
        contents.resize(contents.len().next_multiple_of(4), 0);
        if let Some(physical) = loaded_at.get(index) {
            segments.extend(words(&[PT_LOAD, at, address, *physical, size, size, 5, 1]));
        }
    }
    names.resize(names.len().next_multiple_of(4), 0);
    let names_at = (begin + contents.len()) as u32;
    let names_section = [0, 3, 0, 0, names_at, names.len() as u32, 0, 0, 1, 0];
    let table_at = names_at + names.len() as u32;
    let sections = sections.len() as u16 + 2;
    let mut file = b"\x7fELF\x01\x01\x01".to_vec();
    file.resize(16, 0);
    file.extend([2, 0]);
    file.extend(EM_AVR.to_le_bytes());
    file.extend(words(&[1, 0, HEADER as u32, table_at, 0]));
    let halves = [
        HEADER as u16,
        PROGRAM_HEADER as u16,
        loaded_at.len() as u16,
        SECTION_HEADER as u16,
        sections,
        sections - 1,
    ];
    file.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
    for part in [segments, contents, names, vec![0; SECTION_HEADER], headers] {
        file.extend(part);
    }
    file.extend(words(&names_section));
    file
}

/// A program as `avr-ld` lays it out: code at 0, behind it the initial contents of a variable in SRAM,
/// and a byte of EEPROM.
fn program() -> Image {
    let section =
        |name, header, bytes: &[u8], rest| Section { name, header, bytes: bytes.into(), rest };
    let strings = b"\0main\0value\0";
    // Name, address, size; then the kind (function, object; global) and the section.
    let main = [words(&[1, 2, 2]), vec![0x12, 0, 1, 0]].concat();
    let value = [words(&[6, SRAM, 2]), vec![0x11, 0, 2, 0]].concat();
    let symbols = [vec![0; 16], main, value].concat();
    let sections = [
        section(".text", [1, 6, 0], &[0x00, 0xC0, 0xFF, 0xCF], [0; 3]), // rjmp .+0; rjmp .-2
        section(".data", [1, 3, SRAM], &[0x2A, 0x00], [0; 3]),
        section(".eeprom", [1, 3, EEPROM], &[7], [0; 3]),
        section(".symtab", [2, 0, 0], &symbols, [5, 1, 16]),
        section(".strtab", [3, 0, 0], strings, [0; 3]),
    ];
    Image::parse("avr.elf", executable(&sections, &[0, 4, EEPROM])).expect("an image")
}

const MEMORIES: [Region; 3] = [
    Region { name: "flash", start: 0, size: 128 * 1024 },
    Region { name: "RAM", start: SRAM, size: 4096 },
    Region { name: "EEPROM", start: EEPROM, size: 4096 },
];

fn target(architecture: &'static str, machine: u16) -> Target<'static> {
    Target { part: "PART", architecture, machine, memories: &MEMORIES }
}

#[test]
fn addresses_are_those_of_the_file() {
    let image = program();
    assert_eq!(image.machine(), Machine::Avr);
    let places: Vec<_> = image.segments().iter().map(|s| (s.address, s.bytes.len())).collect();
    assert_eq!(places, [(0, 4), (4, 2), (EEPROM, 1)], "variables are loaded from flash");
    let sections: Vec<_> = image.sections().iter().map(|s| (s.name.as_str(), s.address)).collect();
    assert_eq!(sections, [(".text", 0), (".data", SRAM), (".eeprom", EEPROM)]);
    let value = image.symbols().find("value").expect("an object");
    assert_eq!((value.address, value.function), (SRAM, false));
    assert_eq!(image.symbols().place(2).map(|place| place.to_string()).as_deref(), Some("main"));
    assert_eq!(image.code(), std::slice::from_ref(&(0..4)));
}

#[test]
fn a_chip_of_its_architecture_takes_it() {
    assert!(program().check_fits(&target("AVR", EM_AVR)).is_ok());
}

#[test]
fn a_chip_of_another_architecture_is_named_with_its_own() {
    let error = program().check_fits(&target("ARMv6-M", 40)).expect_err("refused").to_string();
    assert!(error.starts_with("avr.elf: made for AVR, but the PART executes ARMv6-M"), "{error}");
}
