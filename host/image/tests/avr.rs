// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is read from images that avr-gcc makes (`data/avr.c`), and which chips refuse them.

use lichen_image::{Image, Machine, Pointee, Region, Target, Variant};

const DWARF_2: &[u8] = include_bytes!("data/avr-dwarf2.elf");
const DWARF_4: &[u8] = include_bytes!("data/avr-dwarf4.elf");

const EM_AVR: u16 = 83;
const EM_ARM: u16 = 40;

/// Where addresses of ELF files have the data space, and SRAM of an ATmega128 in it.
const DATA: u32 = 0x0080_0000;
const SRAM: u32 = DATA + 0x100;
const EEPROM: u32 = 0x0081_0000;
const FUSES: u32 = 0x0082_0000;
const LOCK: u32 = 0x0083_0000;

/// Offsets in the ELF file header and in program headers.
const FLAGS: usize = 36;
const PROGRAM_HEADERS: usize = 28;
const PROGRAM_HEADER_BYTES: usize = 32;
const FILE_SIZE: usize = 16;

const MEMORIES: [Region; 5] = [
    Region { name: "flash", start: 0, size: 128 * 1024 },
    Region { name: "RAM", start: SRAM, size: 4096 },
    Region { name: "EEPROM", start: EEPROM, size: 4096 },
    Region { name: "fuses", start: FUSES, size: 3 },
    Region { name: "lock bits", start: LOCK, size: 1 },
];

fn target<'a>(part: &'a str, memories: &'a [Region]) -> Target<'a> {
    Target {
        part,
        architecture: "AVR",
        machine: EM_AVR,
        variants: &[51, 5],
        signature: &[0x1E, 0x97, 0x02],
        memories,
    }
}

fn image() -> Image {
    Image::parse("avr.elf", DWARF_4.to_vec()).expect("an image")
}

/// Both, since the compiler's versions differ in how they describe structures.
fn images() -> [Image; 2] {
    [DWARF_2, DWARF_4].map(|bytes| Image::parse("avr.elf", bytes.to_vec()).expect("an image"))
}

fn changed(change: impl FnOnce(&mut Vec<u8>)) -> Image {
    let mut bytes = DWARF_4.to_vec();
    change(&mut bytes);
    Image::parse("avr.elf", bytes).expect("an image")
}

fn put(bytes: &mut [u8], at: usize, word: u32) {
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
}

/// Where `text` is in the file, the last time.
fn position(bytes: &[u8], text: &[u8]) -> usize {
    bytes.windows(text.len()).rposition(|window| window == text).expect("in the file")
}

fn misfit(image: &Image, target: &Target<'_>) -> String {
    image.check_fits(target).expect_err("refused").to_string()
}

#[test]
fn each_address_space_has_its_addresses() {
    let image = image();
    assert_eq!(image.machine(), Machine::Avr);
    let places: Vec<_> =
        image.segments().iter().map(|s| (s.address, s.runs_at, s.bytes.len())).collect();
    let variables = (0x1A6, SRAM, 26);
    assert_eq!(
        places,
        [(0, 0, 0x1A6), variables, (EEPROM, EEPROM, 1), (FUSES, FUSES, 3), (LOCK, LOCK, 1)]
    );
    assert_eq!(image.bytes_at(FUSES, 3), Some(&[0xBF, 0x89, 0xFF][..]));
    assert_eq!(image.signature(), Some(&[0x02, 0x97, 0x1E][..]), "not programmed");
    assert_eq!(image.device(), Some("atmega128"));
    assert_eq!(image.variant(), Some(Variant(51)));
}

#[test]
fn symbols_lie_in_their_address_space() {
    let image = image();
    let find = |name| image.symbols().find(name).map(|s| (s.address, s.size, s.function));
    assert_eq!(find("measure"), Some((0x122, 58, true)), "functions have addresses of bytes");
    assert_eq!(find("first"), Some((SRAM, 15, false)));
    assert_eq!(find("remembered"), Some((EEPROM, 1, false)));
    assert_eq!(find("notice"), Some((0x8C, 9, false)), "a constant between functions");
    let place = |address| image.symbols().place(address).map(|place| place.to_string());
    assert_eq!(place(0x126).as_deref(), Some("measure+0x4"));
    assert_eq!(place(0xD4).as_deref(), Some("__bad_interrupt"), "not one of its weak names");
}

#[test]
fn constants_with_a_name_are_not_code() {
    assert_eq!(image().code(), [0..0x8C, 0x96..0x1A6]);
}

#[test]
fn a_variable_begins_with_what_is_copied_to_it() {
    let image = image();
    let answer = image.symbols().find("answer").expect("an object").address;
    assert_eq!(image.bytes_at(answer, 4), None);
    assert_eq!(image.initial_bytes_at(answer, 4), Some(&42u32.to_le_bytes()[..]));
    assert_eq!(image.initial_bytes_at(0x8C, 4), Some(&b"in f"[..]), "what stays in flash");
    assert_eq!(image.initial_bytes_at(SRAM + 24, 4), None, "over the end");
}

#[test]
fn inlined_code_has_two_places() {
    for image in images() {
        let square = image.locations(0x132);
        let names: Vec<_> = square.iter().filter_map(|l| l.function.as_deref()).collect();
        assert_eq!(names, ["square", "measure"]);
        assert!(square[1].to_string().ends_with("avr.c:57"), "{}", square[1]);
        assert!(image.locations(0x10).is_empty(), "vectors have no lines");
    }
}

#[test]
fn structures_have_pointers_of_two_bytes_and_no_gaps() {
    for image in images() {
        let shape = image.structure("shape").expect("a structure");
        assert_eq!(shape.size, 15);
        let of = |name: &str| shape.member(name).map(|member| (member.offset, member.size));
        assert_eq!(of("corner"), Some((0, 9)));
        assert_eq!(of("draw"), Some((9, 2)));
        assert_eq!(of("next"), Some((11, 2)));
        assert_eq!(of("name"), Some((13, 2)));
        let points_to = |structure: &str, name: &str| {
            image.structure(structure).and_then(|it| it.member(name).and_then(|m| m.points_to))
        };
        assert_eq!(points_to("shape", "draw"), Some(Pointee::Code));
        assert_eq!(points_to("shape", "next"), Some(Pointee::Data));
        assert_eq!(points_to("shape", "corner"), None);
        assert_eq!(points_to("label", "text"), Some(Pointee::Flash(0)));
        assert_eq!(points_to("label", "other_text"), Some(Pointee::Flash(0x1_0000)));
        let point = image.structure("point").expect("a structure");
        assert_eq!(point.member("y").map(|member| (member.offset, member.size)), Some((1, 2)));
    }
}

#[test]
fn functions_and_variables_are_found_by_their_types() {
    for image in images() {
        let prototypes = image.prototypes();
        let measure = prototypes.get(&0x122).map(String::as_str);
        assert_eq!(measure, Some("unsigned int(unsigned int)"));
        let draw = image.prototype_of("shape", "draw");
        assert_eq!(draw.as_deref(), Some("void(struct shape*)"));
        let shapes = image.variables("shape");
        let [first] = &shapes[..] else { panic!("{shapes:?}") };
        assert_eq!((first.name.as_str(), first.address), ("first", Some(SRAM)));
    }
}

#[test]
fn the_chip_takes_it_also_in_its_later_revision() {
    for part in ["ATmega128", "ATmega128A"] {
        assert!(image().check_fits(&target(part, &MEMORIES)).is_ok(), "{part}");
    }
    let older = changed(|bytes| put(bytes, FLAGS, 0x85));
    assert!(older.check_fits(&target("ATmega128", &MEMORIES)).is_ok(), "avr5, relaxed");
}

#[test]
fn a_chip_of_another_architecture_is_named_with_its_own() {
    let arm = Target {
        architecture: "ARMv6-M",
        machine: EM_ARM,
        variants: &[],
        signature: &[],
        ..target("PART", &MEMORIES)
    };
    let error = misfit(&image(), &arm);
    assert!(error.starts_with("avr.elf: made for AVR, but the PART executes ARMv6-M"), "{error}");
}

#[test]
fn another_avr_is_named_with_the_boards() {
    let chip = target("ATmega128", &MEMORIES);
    let larger = misfit(&changed(|bytes| put(bytes, FLAGS, 6)), &chip);
    let expected = "avr.elf: made for AVR of the family avr6 (such as ATmega2560), but the ATmega128 \
                    executes avr51 (such as ATmega128); build it";
    assert!(larger.starts_with(expected), "{larger}");
    let mut relative = DWARF_4.to_vec();
    let name = position(&relative, b"\0atmega128\0\0") + 1;
    relative[name..name + 10].copy_from_slice(b"atmega1281");
    let relative = Image::parse("avr.elf", relative).expect("an image");
    let error = misfit(&relative, &chip);
    let expected = "avr.elf: made for the atmega1281, but the board has an ATmega128, whose";
    assert!(error.starts_with(expected), "{error}");
    let other = Target { signature: &[0x1E, 0x98, 0x01], ..chip };
    let error = misfit(&image(), &other);
    assert!(error.contains("made for the chip with the signature 1e 97 02, but"), "{error}");
}

#[test]
fn what_is_outside_the_chips_memories_is_refused() {
    let small = [Region { size: 0x1C, ..MEMORIES[1] }];
    let memories = [&MEMORIES[..1], &small, &MEMORIES[2..]].concat();
    let error = misfit(&image(), &target("ATmega128", &memories));
    assert!(error.contains("section .bss is at 0x80011a..0x800122 when it runs"), "{error}");
    assert!(error.contains("needs more RAM than there is"), "{error}");
    let without_fuses = misfit(&image(), &target("ATmega128", &MEMORIES[..3]));
    assert!(without_fuses.contains("0x00820000..0x00820003 (3 bytes) is outside"));
    let bare = changed(|bytes| {
        let table = usize::from(bytes[PROGRAM_HEADERS]);
        put(bytes, table + FILE_SIZE, 0);
        put(bytes, table + PROGRAM_HEADER_BYTES + FILE_SIZE, 0);
    });
    let error = misfit(&bare, &target("ATmega128", &MEMORIES));
    assert_eq!(error, "avr.elf: has nothing in flash, so there is nothing to execute");
}

#[test]
fn every_truncation_is_survived() {
    for length in (0..DWARF_4.len()).step_by(3) {
        let _ = Image::parse("avr.elf", DWARF_4[..length].to_vec());
    }
}
