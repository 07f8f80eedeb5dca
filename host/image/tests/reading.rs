// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is read from a real image (`data/tiny.c`), and the errors for files that are not images.

use lichen_image::{Error, Image, Region, Target};
use std::path::Path;

const TINY: &[u8] = include_bytes!("data/tiny.elf");

const MEMORIES: [Region; 2] = [
    Region { name: "flash", start: 0, size: 256 * 1024 },
    Region { name: "RAM", start: 0x2000_0000, size: 32 * 1024 },
];

/// A chip with these memories.
fn target(memories: &[Region]) -> Target<'_> {
    let (machine, variants, signature) = (EM_ARM, &[][..], &[][..]);
    Target { part: "PART", architecture: "ARMv6-M", machine, variants, signature, memories }
}

/// `e_machine`.
const EM_ARM: u16 = 40;
const EM_MSP430: u8 = 105;

/// Offsets in the ELF file header and in its first program header.
const CLASS: usize = 4;
const KIND: usize = 16;
const MACHINE: usize = 18;
const PROGRAM_HEADERS: usize = 28;
const PHYSICAL: usize = 12;
const FILE_SIZE: usize = 16;

/// The mark `$d` of `.bss` in the symbol table: its address, followed by its section.
const OTHER_MARK: usize = 0x28c0 + 21 * 16 + 4;
const SECTION_OF_SYMBOL: usize = 8;
const DEBUG_FRAME: u32 = 13;

fn tiny() -> Image {
    Image::parse("tiny.elf", TINY.to_vec()).expect("good")
}

fn changed(change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = TINY.to_vec();
    change(&mut bytes);
    bytes
}

fn put(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn first_segment() -> usize {
    word(TINY, PROGRAM_HEADERS) as usize
}

fn refused(bytes: Vec<u8>) -> String {
    Image::parse("x.elf", bytes).expect_err("refused").to_string()
}

fn misfit(bytes: Vec<u8>) -> String {
    let image = Image::parse("x.elf", bytes).expect("an image");
    image.check_fits(&target(&MEMORIES)).expect_err("misfit").to_string()
}

#[test]
fn segments_and_sections_lie_where_the_linker_put_them() {
    let image = tiny();
    assert_eq!(image.entry(), 0);
    let places: Vec<_> = image.segments().iter().map(|s| (s.address, s.bytes.len())).collect();
    assert_eq!(places, [(0, 0x58), (0x58, 0x1c)], "initialised data is stored behind the code");
    assert_eq!(image.bytes_at(0x54, 4), Some(&42u32.to_le_bytes()[..]));
    assert_eq!(image.bytes_at(0x56, 4), None, "over the end of a segment");
    let sections: Vec<_> = image.sections().iter().map(|s| (s.name.as_str(), s.stored)).collect();
    assert_eq!(sections, [(".text", true), (".data", true), (".bss", false)]);
    assert!(image.check_fits(&target(&MEMORIES)).is_ok());
}

#[test]
fn symbols_have_addresses_and_sizes() {
    let image = tiny();
    let symbols = image.symbols();
    let measure = symbols.find("measure").expect("a function");
    assert_eq!((measure.address, measure.size, measure.function), (0x12, 42, true));
    let first = symbols.find("first").expect("an object");
    assert_eq!((first.address, first.size, first.function), (0x2000_0000, 28, false));
    assert_eq!(symbols.find("stack_top").map(|s| s.address), Some(0x2000_8000));
    assert_eq!(symbols.place(0x10).map(|p| p.to_string()).as_deref(), Some("label_handler"));
    assert_eq!(symbols.place(0x43).map(|p| p.to_string()).as_deref(), Some("reset_handler+0x6"));
    assert!(symbols.functions().iter().all(|function| !function.name.starts_with('$')));
}

#[test]
fn code_is_reported_from_constants_by_the_marks_of_its_own_section() {
    let code = [0x10..0x34, 0x3c..0x50];
    assert_eq!(tiny().code(), code);
    let stray = changed(|bytes| {
        put(bytes, OTHER_MARK, 0x20);
        put(bytes, OTHER_MARK + SECTION_OF_SYMBOL, DEBUG_FRAME << 16);
    });
    assert_eq!(Image::parse("stray.elf", stray).expect("good").code(), code);
}

#[test]
fn inlined_code_has_two_places() {
    let image = tiny();
    let multiply = image.locations(0x22);
    let names: Vec<_> = multiply.iter().filter_map(|l| l.function.as_deref()).collect();
    assert_eq!(names, ["square", "measure"]);
    assert!(multiply[0].to_string().ends_with("tiny.c:50"), "{}", multiply[0]);
    assert!(image.locations(0x4000).is_empty());
}

#[test]
fn functions_begin_where_they_are_called_and_where_they_are_part_of_others() {
    let image = tiny();
    let entries = |name| image.entries(name).into_iter().collect::<Vec<_>>();
    assert_eq!(entries("measure"), [0x12]);
    assert_eq!(entries("square"), [0x28], "in `measure`, where the compiler says that it begins");
    assert_eq!(entries("first"), [], "an object");
}

#[test]
fn structures_are_laid_out_as_the_compiler_did() {
    let image = tiny();
    let shape = image.structure("shape").expect("a structure");
    assert_eq!(shape.size, 28);
    let of = |name: &str| shape.member(name).map(|member| (member.offset, member.size));
    assert_eq!(of("corner"), Some((0, 12)));
    assert_eq!(of("colour"), Some((12, 1)));
    assert_eq!(of("next"), Some((16, 4)));
    assert_eq!(of("bytes"), Some((20, 4)), "inside an unnamed union");
    assert_eq!(of("inner"), Some((24, 1)), "inside an unnamed structure");
    assert_eq!(of("nothing"), None);
    assert_eq!(shape.member("corner").and_then(|m| m.structure.as_deref()), Some("point"));
    assert_eq!(shape.member("next").and_then(|m| m.structure.as_deref()), Some("shape"));
    let record = image.structure("record_t").expect("through a typedef");
    assert_eq!(record.member("wide").map(|m| (m.offset, m.size)), Some((0, 8)));
    let colour = image.enumeration("colour").expect("an enumeration");
    assert_eq!(
        (colour.name(2), colour.name(-3), colour.name(7)),
        (Some("GREEN"), Some("BLUE"), None)
    );
    assert!(image.structure("colour").is_none());
    assert!(image.structure("nothing").is_none());
}

#[test]
fn other_files_are_named_for_what_they_are() {
    assert!(refused(Vec::new()).contains("it is empty"));
    assert!(refused(b":020000040000FA\n".to_vec()).contains("like an Intel HEX file"));
    assert!(refused(b"#!/bin/sh\n".to_vec()).contains("bytes 23 21 2f 62"));
    assert!(refused(TINY[..10].to_vec()).contains("it ends after 10 bytes"));
    let other = refused(changed(|b| b[MACHINE] = EM_MSP430));
    assert!(other.contains("made for MSP430 (32-bit, little-endian)"), "{other}");
    assert!(other.contains("known are executables for ARM and AVR"), "{other}");
    let wide = refused(changed(|b| {
        b[CLASS] = 2;
        b[MACHINE] = 62;
    }));
    assert!(wide.contains("made for x86-64 (64-bit, little-endian)"), "{wide}");
    assert!(refused(changed(|b| b[KIND] = 1)).contains("an object file, not an executable"));
    assert!(refused(changed(|b| b[KIND] = 3)).contains("a shared library"));
    let missing = Image::load(Path::new("/nowhere/x.elf")).expect_err("missing");
    assert!(
        matches!(&missing, Error::Read { .. }) && missing.to_string().contains("/nowhere/x.elf")
    );
}

#[test]
fn headers_that_lie_are_found_out() {
    let at = first_segment();
    let long = refused(changed(|b| put(b, at + FILE_SIZE, 1 << 20)));
    assert!(long.starts_with("x.elf: damaged ELF file: segment 0 ends at byte"), "{long}");
    let more = refused(changed(|b| put(b, at + FILE_SIZE, 0x60)));
    assert!(more.contains("larger in the file than in memory"), "{more}");
    let high = refused(changed(|b| put(b, at + PHYSICAL, 0xFFFF_FFF0)));
    assert!(high.contains("end of the address space"), "{high}");
    let overlap = refused(changed(|b| put(b, at + PHYSICAL, 0x40)));
    assert!(overlap.contains("two segments overlap at 0x00000058"), "{overlap}");
    assert!(refused(changed(|b| put(b, PROGRAM_HEADERS, 0xFFFF_0000))).contains("damaged"));
}

#[test]
fn what_the_chip_cannot_hold_is_refused_with_sizes() {
    let at = first_segment();
    let outside = misfit(changed(|b| put(b, at + PHYSICAL, 0x0800_0000)));
    assert!(outside.contains("0x08000000..0x08000058 (88 bytes) is outside"), "{outside}");
    assert!(outside.contains("flash 0x00000000..0x00040000 (262144 bytes), RAM"), "{outside}");
    let small = [Region { size: 0x50, ..MEMORIES[0] }, MEMORIES[1]];
    let large = tiny().check_fits(&target(&small)).expect_err("too large").to_string();
    assert!(large.contains("8 bytes too large for the flash of the PART (80 bytes)"), "{large}");
}

#[test]
fn a_vector_table_that_cannot_start_the_chip_is_refused() {
    let at = first_segment();
    let vectors = word(TINY, at + 4) as usize;
    let even = misfit(changed(|b| put(b, vectors + 4, 0x3c)));
    assert!(even.contains("0x0000003c is not a Thumb address"), "{even}");
    let empty = misfit(changed(|b| put(b, vectors + 4, 0x3001)));
    assert!(empty.contains("0x00003001 points where the image has no code"), "{empty}");
    let stack = misfit(changed(|b| put(b, vectors, 0x2001_0000)));
    assert!(stack.contains("stack pointer 0x20010000 is outside the chip's RAM"), "{stack}");
    assert!(stack.contains("another chip"), "{stack}");
    let loader = misfit(changed(|b| put(b, at + PHYSICAL, 0x2000)));
    assert!(
        loader.contains("it begins at 0x00000058; if it is made for a boot loader"),
        "{loader}"
    );
}

#[test]
fn variables_are_found_by_what_they_are_made_of() {
    let image = tiny();
    let shapes = image.variables("shape");
    let [first] = &shapes[..] else { panic!("{shapes:?}") };
    assert_eq!(first.name, "first");
    assert_eq!(first.address, image.symbols().find("first").map(|symbol| symbol.address));
    assert_eq!(first.structures, ["shape"]);
    assert!(!first.array);
    assert_eq!((first.file.as_deref(), first.line), (Some("./tiny.c"), Some(39)));
    let points = image.variables("point");
    assert_eq!(points.len(), 1, "by way of an array in a structure, not of a pointer: {points:?}");
    assert_eq!(points[0].structures, ["shape", "point"]);
    assert!(image.variables("nothing").is_empty());
}

#[test]
fn the_contents_are_what_is_written_and_not_how_the_file_describes_it() {
    let of = |bytes: Vec<u8>| Image::parse("changed.elf", bytes).expect("an image");
    let described = |bytes: &mut Vec<u8>| {
        let name = b"tiny.c";
        let at = bytes.windows(name.len()).rposition(|it| it == name).expect("a name");
        bytes[at] = b'T';
    };
    let other = of(changed(described));
    assert_ne!(other.digest(), tiny().digest());
    assert_eq!(other.contents(), tiny().contents(), "another name of a source file");
    let code = tiny().segments()[0].bytes.clone();
    let written = |bytes: &mut Vec<u8>| {
        let at = bytes.windows(code.len()).position(|it| it == code).expect("the code");
        bytes[at + code.len() - 1] ^= 1;
    };
    assert_ne!(of(changed(written)).contents(), tiny().contents(), "another byte of code");
}
