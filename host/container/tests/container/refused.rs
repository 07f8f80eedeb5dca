// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is refused, and in which words.

use crate::sample::{Image, places, sample};
use lichen_container::{
    Block, Error, Kind, Machine, Reason, Reference, Target, crc32, link, write,
};

fn linked(machine: Machine, bytes: &[u8]) -> Result<(), Error> {
    link(bytes, &places(machine), &Image(machine)).map(|_| ())
}

/// The error of a container that `change` has changed, with its checksum made right again.
fn refused(machine: Machine, change: impl FnOnce(&mut Vec<u8>)) -> (Reason, String) {
    let mut bytes = sample(machine).bytes();
    bytes.truncate(bytes.len() - 4);
    change(&mut bytes);
    bytes.extend(crc32(&bytes).to_le_bytes());
    let error = linked(machine, &bytes).expect_err("refused");
    (error.reason, error.to_string())
}

/// Changes of a byte of the header, and what is said of each.
const HEADER: &[(usize, u8, Reason, &str)] = &[
    (
        0,
        0x7f,
        Reason::NotAContainer,
        "byte 0, magic: a container begins with 0x4c, 0xf0, this file with 0x7f, 0xf0",
    ),
    (2, 9, Reason::NotAContainer, "byte 2, format: 9 is not known, but 1"),
    (3, 7, Reason::Machine, "byte 3, machine: 7 is none of 1 (ARMv6-M), 2 (AVR)"),
    (4, 0x10, Reason::Header, "byte 4, flags: 0x10 has bits that are not known"),
    (4, 3, Reason::Header, "byte 4, flags: 3 is none of 0 (TRUSTED), 1 (SAFE), 2 (RAW)"),
    (5, 42, Reason::Header, "byte 5, header bytes: 42 is not a multiple of 4 from 36 on"),
    (5, 32, Reason::Header, "byte 5, header bytes: 32 is not a multiple of 4 from 36 on"),
    (10, 19, Reason::Header, "byte 10, constants: 19 bytes are not a multiple of 2"),
    (12, 67, Reason::Header, "byte 12, code: 67 bytes are not a multiple of 2"),
    (14, 21, Reason::Header, "byte 14, initial values: 21 bytes are not a multiple of 2"),
    (16, 17, Reason::Header, "byte 16, objects: 17 bytes are not a multiple of 2"),
    (22, 2, Reason::Header, "byte 22, rows: 24 bytes, and 18 of constants"),
    (27, 5, Reason::Header, "byte 27, rows: 20 bytes of mutexes, and 16 of objects"),
    (28, 0, Reason::Header, "byte 28, name bytes: 0 is not 1 to 15"),
    (28, 16, Reason::Header, "byte 28, name bytes: 16 is not 1 to 15"),
    (29, 1, Reason::Record, "byte 29, events: 1 events use 0 bytes of stack"),
    (29, 3, Reason::Header, "byte 22, rows: 24 bytes, and 18 of constants"),
    (30, b'0', Reason::Header, "byte 30, name: a name begins with a letter, not with `0`"),
    (31, b'-', Reason::Header, "byte 30, name: a name has letters, digits and `_`, not 0x2d"),
    (36, 5, Reason::Record, "byte 36, records: kind 5 is not known"),
    (36, 0, Reason::Record, "byte 37, records: something follows the end"),
    (37, 9, Reason::Record, "byte 37, records: record 1 has 9 bytes, and leaves the header"),
    (37, 2, Reason::Record, "byte 37, records: groups have 3 bytes each, these 2"),
    (38, 3, Reason::Group, "byte 36, records: there is no group 3 of calls"),
    (39, 0, Reason::Group, "byte 36, records: group 1 of calls is 0x1234, not 0x1200"),
];

#[test]
fn fields_of_the_header_are_named() {
    for (at, byte, reason, text) in HEADER {
        let found = refused(Machine::Avr8, |bytes| bytes[*at] = *byte);
        assert_eq!(found, (*reason, text.to_string()));
    }
    // 256 bytes of stacks become 65,280, and 32 of data 288.
    let found = refused(Machine::Avr8, |bytes| {
        bytes[19] = 0xff;
        bytes[21] = 0x01;
    });
    let text = "byte 10, blocks: 65688 bytes, and at most 65277";
    assert_eq!(found, (Reason::Header, text.to_string()));
    for (at, text) in [
        (16, "byte 16, objects: 18 bytes are not a multiple of 4"),
        (18, "byte 18, stacks: 260 bytes are not a multiple of 8"),
        (20, "byte 20, data: 34 bytes are not a multiple of 4"),
    ] {
        let change = |bytes: &mut Vec<u8>| bytes[at] += if at == 18 { 4 } else { 2 };
        let found = refused(Machine::Armv6m, change);
        assert_eq!(found, (Reason::Header, text.to_string()));
    }
}

/// The error of a program of AVR with the field at `place` as `reference`, over whatever is there.
fn field(reference: Reference) -> String {
    let sample = sample(Machine::Avr8);
    let bytes = write(&sample.header, &sample.flash, &[reference]).expect("a container");
    linked(Machine::Avr8, &bytes).expect_err("refused").to_string()
}

#[test]
fn fields_are_what_tokens_say() {
    let place = |place, kind, target| field(Reference { place, kind, target });
    let address = Target::Line(0);
    let beyond = Target::Beyond(Block::Flash, 0);
    for (found, text) in [
        (place(24, Kind::Word, beyond), "the second word of `lds` or `sts`, but 00 00"),
        (place(28, Kind::FunctionWord, beyond), "the second word of `call` or `jmp`, but 00 00"),
        (place(24, Kind::FunctionWord, address), "in constants or initial values, but 00 00"),
        (place(38, Kind::Ldi, address), "its instruction, but 80 50 90 40"),
        (place(34, Kind::Subi, address), "its instruction, but 80 e0 90 e0"),
        (place(34, Kind::SubiLow, address), "its instruction, but 80 e0"),
        (place(38, Kind::SbciHigh, address), "its instruction, but 80 50"),
        (place(24, Kind::Low, address), "an instruction, but 00 00"),
    ] {
        assert!(found.contains(&format!("is not {text}")), "{found}");
        assert!(found.contains(", field: "), "{found}");
    }
    let found = place(8, Kind::Low, address);
    assert!(found.ends_with("field: LOW is in constants"), "{found}");
}

#[test]
fn fields_with_an_operand_hold_zero_and_calls_are_near() {
    let with = |at: usize, byte, references: &[Reference]| {
        let mut sample = sample(Machine::Avr8);
        sample.flash[at] = byte;
        let bytes = write(&sample.header, &sample.flash, references).expect("a container");
        linked(Machine::Avr8, &bytes).expect_err("refused").to_string()
    };
    let target = Target::Beyond(Block::Data, 2);
    let found = with(0, 1, &[Reference { place: 0, kind: Kind::Word, target }]);
    assert_eq!(found, "byte 48, field: WORD is not a field with 0, but 01 00");
    let found =
        with(46, 0xe1, &[Reference { place: 46, kind: Kind::Low, target: Target::Line(3) }]);
    assert_eq!(found, "byte 94, field: LOW is not a field with 0, but e1 e0");
    let found = with(18, 0x0f, &[]);
    assert_eq!(found, "byte 64, instruction: 0x940f goes beyond the first 128 KB");
    let found = with(29, 0xff, &[]);
    let text = "byte 74, address: 65024 is outside the program, which ends at 410";
    assert_eq!(found, text);
    let call = Reference { place: 16, kind: Kind::CallWord, target: Target::Call(0) };
    let bytes = {
        let sample = sample(Machine::Avr8);
        let mut bytes = write(&sample.header, &sample.flash, &[call]).expect("a container");
        bytes.truncate(bytes.len() - 4);
        bytes[62] = 1;
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes
    };
    let found = linked(Machine::Avr8, &bytes).expect_err("refused").to_string();
    assert_eq!(found, "byte 61, call: 0x100 is not the number of a call");
}

#[test]
fn addresses_are_in_the_program() {
    // The line ends at 18 + 66 + 20 + 272 + 32 + 2.
    let beyond = Target::Line(411);
    let found = field(Reference { place: 0, kind: Kind::Word, target: beyond });
    assert_eq!(found, "byte 45, address: 411 is outside the program, which ends at 410");
    let far = Target::Beyond(Block::Data, i16::MIN);
    let found = field(Reference { place: 0, kind: Kind::Word, target: far });
    assert_eq!(found, "byte 46, address: -32768 is further than 32767 bytes from data");
    let data = Reference { place: 22, kind: Kind::Jump, target: Target::Line(400) };
    assert_eq!(field(data), "byte 70, address: 0x816 in data is no address of a function");
    let odd = Reference { place: 22, kind: Kind::Jump, target: Target::Line(17) };
    assert_eq!(field(odd), "byte 70, address: 0x9011 in flash is no address of a function");
}

#[test]
fn calls_are_declared() {
    for (call, text) in [
        (0x40, "byte 61, call: there is no call 0x40"),
        (0x11, "byte 61, call: call 0x11 is of group 2, which is not declared"),
        (0x0f, "byte 61, call: the image does not have call 0x0f"),
    ] {
        let target = Target::Call(call);
        assert_eq!(field(Reference { place: 16, kind: Kind::CallWord, target }), text);
    }
}

#[test]
fn tokens_are_known_and_end_with_the_program() {
    // The stream begins at byte 44; its first token is WORD without literals.
    let avr = |change: &[u8]| {
        refused(Machine::Avr8, |bytes| {
            bytes.splice(44..44 + change.len(), change.iter().copied());
        })
    };
    let token = |text: &str| (Reason::Token, text.to_string());
    assert_eq!(avr(&[0xe0, 7]), token("byte 45, kind: 7 is none of AVR"));
    assert_eq!(avr(&[0xe0, 0]), token("byte 45, kind: 0 is none of AVR"));
    assert_eq!(avr(&[0xe0, 0x83]), token("byte 45, kind: the base 4 is none"));
    assert_eq!(
        avr(&[0xe0, 0x22]),
        token("byte 45, kind: CALL_WORD has the base 1, and no address")
    );
    assert_eq!(
        avr(&[0x7f, 0x80, 0x80, 0x80]),
        token("byte 45, literals: a number has at most 3 bytes")
    );
    assert_eq!(
        avr(&[0x1f, 0x20]),
        token("byte 44, token: it ends at byte 126 of a program of 104")
    );
    let across = "byte 44, token: its field begins in constants and ends in code";
    assert_eq!(avr(&[0x88, 0x00]), token(across));
    let arm = refused(Machine::Armv6m, |bytes| bytes[44] = 0x80);
    assert_eq!(arm, token("byte 44, kind: 4 is none of ARMv6-M"));
}

#[test]
fn words_of_arm_are_aligned() {
    let sample = sample(Machine::Armv6m);
    let reference = Reference { place: 10, kind: Kind::Word, target: Target::Line(0) };
    let bytes = write(&sample.header, &sample.flash, &[reference]).expect("a container");
    let found = linked(Machine::Armv6m, &bytes).expect_err("refused").to_string();
    assert_eq!(found, "byte 55, field: 0x1200a is not a multiple of 4");
}

#[test]
fn initial_values_stay_in_their_blocks() {
    // The last 20 bytes of the program; the references to them are left out.
    let initial = |at: usize, change: &[u8]| {
        let mut sample = sample(Machine::Avr8);
        let begin = sample.flash.len() - 20 + at;
        sample.flash.splice(begin..begin + change.len(), change.iter().copied());
        let bytes = write(&sample.header, &sample.flash, &[]).expect("a container");
        let error = linked(Machine::Avr8, &bytes).expect_err("refused");
        (error.reason, error.to_string().split_once(": ").map(|it| it.1.to_string()))
    };
    for (at, change, text) in [
        (0, &[20u8, 0x40][..], "a run ends at byte 20 of 16 of the objects"),
        (10, &[7, 0x80], "a run ends at byte 17 of 16 of the objects"),
        (12, &[0xff, 1], "behind the byte is 1, not 0"),
        (0, &[4, 0xc0], "a run of kind 3 is not known"),
        (14, &[40, 0x00], "the initial values end within a run"),
    ] {
        assert_eq!(initial(at, change), (Reason::Initial, Some(text.to_string())));
    }
}

#[test]
fn every_truncation_is_refused() {
    for machine in Machine::ALL {
        let bytes = sample(machine).bytes();
        for length in 0..bytes.len() {
            let error = linked(machine, &bytes[..length]).expect_err("cut short");
            assert!(error.at <= length, "{error}");
            assert_eq!(error.reason, Reason::Length, "{error}");
        }
    }
    let mut bytes = sample(Machine::Avr8).bytes();
    bytes.push(0);
    let length = bytes.len() - 1;
    let found = linked(Machine::Avr8, &bytes).expect_err("too long").to_string();
    assert_eq!(found, format!("byte {length}, end: 1 bytes follow"));
}

#[test]
fn damage_is_noticed() {
    let sample = sample(Machine::Armv6m);
    let mut bytes = sample.bytes();
    let at = bytes.len() - 4;
    bytes[at - 1] ^= 1;
    let error = linked(Machine::Armv6m, &bytes).expect_err("damaged");
    assert_eq!((error.at, error.field, error.reason), (at, "CRC-32", Reason::Crc));
}
