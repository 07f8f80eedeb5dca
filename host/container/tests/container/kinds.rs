// SPDX-License-Identifier: MIT OR Apache-2.0
//! Each kind of field, linked, against bytes that were worked out by hand.

use crate::sample::{Image, optional, places, sample};
use lichen_container::{Block, Header, Kind, Machine, Reference, Target, Tokens, link, write};

fn halves(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect()
}

#[test]
fn fields_of_avr_are_set() {
    let sample = sample(Machine::Avr8);
    let linked = link(&sample.bytes(), &places(Machine::Avr8), &Image(Machine::Avr8));
    let linked = linked.expect("linked");
    #[rustfmt::skip]
    let expected = [
        0x0400, 0x9016 / 2, 0x0510, 0, 0, 0, 0x900e, 0, 0x1008 / 2,
        0x940e, 0x101c / 2,
        0x940c, 0x9012 / 2,
        0x9180, 0x0804,
        0x9390, 0x07fe,
        0xe280, 0xe098, // 0x0820
        0x5f88, 0x4f97, // -0x0808 = 0xf7f8
        0xe069, 0xe478, // 0x4809
        0xe0e4, 0x0000, 0xe0f4, // 0x0404
        0x5fe8, 0x0000, 0x4ff8, // 0xf7f8; -0x07e8 = 0xf818
        0xe0a9, 0x0000, 0xe4b8, // 0x4809
        0xe042, 0xe058, // 0x1004 / 2
        0x9508,
        0x3084,
        0x5088, 0x4098,
        0x5f87, 0x4b97, // -0x4809 = 0xb7f7
        0x5089, 0x4498,
    ];
    let found = halves(&linked.flash[..18 + 2 * 33]);
    assert_eq!(found.len(), expected.len());
    let shown = |halves: &[u16]| halves.iter().map(|it| format!("{it:04x}")).collect::<Vec<_>>();
    assert_eq!(shown(&found), shown(&expected));
    assert_eq!(&linked.initial.objects[..10], [0, 0, 0, 0, 0x08, 0x04, 0, 0, 7, 8]);
    assert_eq!(&linked.initial.objects[10..], [0xff; 6]);
    assert_eq!(&linked.initial.data[..4], [1, 2, 3, 0]);
    assert_eq!(linked.initial.data.len(), 32);
}

#[test]
fn fields_of_arm_are_set() {
    let sample = sample(Machine::Armv6m);
    let linked = link(&sample.bytes(), &places(Machine::Armv6m), &Image(Machine::Armv6m));
    let linked = linked.expect("linked");
    let words: Vec<u32> = linked.flash[..40]
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().expect("a word")))
        .collect();
    // bl from 0x1201a to 0x101c: 0x101c - 0x1201e = -0x11002, so S 1, imm10 0x3ee, J1 and J2 1, imm11 0x7ff.
    let expected = [
        0x2000_0100,
        0x1_2019,
        0,
        0,
        0,
        0x2000_3ffc, //
        0xf7ee_b510,
        0x4770_ffff,
        0x2000_4020,
        0x1025,
    ];
    let shown = |words: &[u32]| words.iter().map(|it| format!("{it:08x}")).collect::<Vec<_>>();
    assert_eq!(shown(&words), shown(&expected));
    assert_eq!(&linked.initial.objects[4..10], [0x08, 0x01, 0, 0x20, 7, 8]);
}

#[test]
fn all_kinds_are_in_the_samples() {
    for machine in Machine::ALL {
        let sample = sample(machine);
        let linked = link(&sample.bytes(), &places(machine), &Image(machine)).expect("linked");
        assert_eq!(linked.references, sample.references);
        let mut found: Vec<Kind> = linked.references.iter().map(|it| it.kind).collect();
        found.sort();
        found.dedup();
        let mut all: Vec<Kind> = Kind::all(machine).collect();
        all.sort();
        assert_eq!(found, all);
    }
}

#[test]
fn instructions_of_avr_have_no_tokens() {
    let sample = sample(Machine::Avr8);
    let bytes = sample.bytes();
    let header = Header::parse(&bytes).expect("a header");
    let tokens: Vec<_> = Tokens::of(&bytes, &header).map(|token| token.expect("a token")).collect();
    // 23 references, of which `call`, `jmp` and `lds` have none, and what is behind the last one.
    assert_eq!(tokens.len(), 22);
    let beyond = |kind, place| Reference { place, kind, target: Target::Beyond(Block::Flash, -2) };
    let with = [beyond(Kind::Jump, 22)];
    let bytes = write(&sample.header, &sample.flash, &with).expect("a container");
    let mut first = Tokens::of(&bytes, &header);
    let token = first.next().expect("one").expect("a token");
    assert_eq!((token.field_place(), token.field.len(), token.bytes()), (24, 2, 4));
    let call = [Reference { place: 18, kind: Kind::Call, target: Target::Call(7) }];
    let bytes = write(&sample.header, &sample.flash, &[call[0], with[0]]).expect("a container");
    assert_eq!(bytes[44..48], [0xec, 0x26, 0xfe, 0xff]);
    assert_eq!(bytes[48 + 20..48 + 22], [7, 0], "the call's number is in the instruction");
}

#[test]
fn headers_come_back() {
    for machine in Machine::ALL {
        let mut header = sample(machine).header;
        header.others.push(optional());
        header.header_bytes = 44 + 4;
        let bytes = header.bytes().expect("a header");
        let read = Header::parse(&bytes).expect("read");
        assert_eq!(read, Header { header_bytes: bytes.len() as u8, ..header });
    }
}

#[test]
fn long_literals_have_a_number_of_their_own() {
    for halfwords in [30u16, 31, 32, 158, 159, 10_000] {
        let mut sample = sample(Machine::Avr8);
        let bytes = 2 * usize::from(halfwords);
        // In front of the code: what refers to flash behind it is left out.
        sample.flash.splice(18..18, vec![0x55; bytes]);
        sample.header.constants_bytes += 2 * halfwords;
        sample.references.truncate(1);
        let linked = link(&sample.bytes(), &places(Machine::Avr8), &Image(Machine::Avr8));
        let linked = linked.unwrap_or_else(|error| panic!("{halfwords}: {error}"));
        assert_eq!(linked.flash.len(), sample.flash.len());
        assert_eq!(linked.flash[18..20 + bytes], sample.flash[18..20 + bytes]);
        assert_eq!(linked.flash[22 + bytes..24 + bytes], sample.flash[22 + bytes..24 + bytes]);
    }
}
