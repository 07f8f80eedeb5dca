// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs made by hand, with a field of each kind.

use lichen_container::{
    Block, Calls, Group, Header, Kind, Line, Machine, Places, Record, Reference, Rows, Target,
    Trust, write,
};

/// Calls 0x00 to 0x0f are group 1, 0x10 to 0x17 group 2, all there but 0x0f.
pub struct Image(pub Machine);

impl Calls for Image {
    fn fingerprint(&self, group: u8) -> Option<u16> {
        [(1, 0x1234), (2, 0xabcd)].iter().find(|(known, _)| *known == group).map(|it| it.1)
    }

    fn group(&self, call: u8) -> Option<u8> {
        match call {
            0..=0x0f => Some(1),
            0x10..=0x17 => Some(2),
            _ => None,
        }
    }

    fn address(&self, call: u8) -> Option<u32> {
        let odd = u32::from(self.0 == Machine::Armv6m);
        (call != 0x0f).then_some((0x1000 + 4 * u32::from(call)) | odd)
    }
}

/// Where the tests link to.
pub fn places(machine: Machine) -> Places {
    match machine {
        Machine::Armv6m => Places { code: 0x1_2000, objects: 0x2000_0100, data: 0x2000_4000 },
        Machine::Avr8 => Places { code: 0x9000, objects: 0x0400, data: 0x0800 },
    }
}

/// The header of a program with these lengths.
pub fn header(machine: Machine, [constants, code, initial]: [u16; 3]) -> Header {
    Header {
        machine,
        trust: Trust::Trusted,
        has_mac: false,
        header_bytes: 40,
        version: 3,
        confirm_s: 20,
        constants_bytes: constants,
        code_bytes: code,
        initial_bytes: initial,
        object_bytes: 16,
        stack_bytes: 256,
        data_bytes: 32,
        rows: Rows { threads: 1, mutexes: 2, ..Rows::default() },
        name: "sample".to_string(),
        event_stack: 0,
        groups: vec![Group { number: 1, fingerprint: 0x1234 }],
        partitions: Vec::new(),
        others: Vec::new(),
    }
}

/// A program whose parts are given, and its references.
pub struct Sample {
    pub header: Header,
    pub flash: Vec<u8>,
    pub references: Vec<Reference>,
}

impl Sample {
    /// The container.
    pub fn bytes(&self) -> Vec<u8> {
        write(&self.header, &self.flash, &self.references).expect("a container")
    }
}

/// A program with all kinds of its machine.
pub fn sample(machine: Machine) -> Sample {
    let (constants, code, fields): (usize, Vec<u16>, _) = match machine {
        Machine::Armv6m => arm(),
        Machine::Avr8 => avr(),
    };
    let mut flash = vec![0; constants];
    flash.extend(code.iter().flat_map(|half| half.to_le_bytes()));
    // 4 bytes of 0, 6 bytes with two fields, 6 times 0xff; then, in the data, 3 bytes.
    let initial: [u8; 18] = [4, 0x40, 6, 0, 0, 0, 0, 0, 7, 8, 6, 0x80, 0xff, 0, 3, 0, 1, 2];
    flash.extend(initial);
    flash.extend([3, 9]);
    let lengths = [constants, 2 * code.len(), 20].map(|bytes| bytes as u16);
    let header = header(machine, lengths);
    let line = Line::of(&header);
    let at = |block, offset| Target::Line(line.address(block, offset).expect("inside"));
    let in_initial = (constants + 2 * code.len() + 4) as u32;
    let mut references = fields(&at);
    references.push(Reference {
        place: in_initial,
        kind: Kind::Word,
        target: at(Block::Objects, 8),
    });
    Sample { header, flash, references }
}

type At<'line> = &'line dyn Fn(Block, u32) -> Target;
type Fields = fn(At<'_>) -> Vec<Reference>;

fn reference(place: u32, kind: Kind, target: Target) -> Reference {
    Reference { place, kind, target }
}

fn arm() -> (usize, Vec<u16>, Fields) {
    // push {r4, lr}; bl; bx lr; nop; two words
    let code = vec![0xb510, 0xf000, 0xf800, 0x4770, 0, 0, 0, 0];
    (24, code, |at| {
        vec![
            reference(0, Kind::Word, at(Block::Objects, 0)),
            reference(4, Kind::Word, at(Block::Flash, 25)),
            reference(20, Kind::Word, Target::Beyond(Block::Data, -4)),
            reference(26, Kind::Call, Target::Call(7)),
            reference(32, Kind::Word, at(Block::Data, 32)),
            reference(36, Kind::CallWord, Target::Call(9)),
        ]
    })
}

fn avr() -> (usize, Vec<u16>, Fields) {
    #[rustfmt::skip]
    let code = vec![
        0x940e, 0,      // call, a call
        0x940c, 0,      // jmp
        0x9180, 0,      // lds r24
        0x9390, 0,      // sts r25
        0xe080, 0xe090, // ldi r24, ldi r25
        0x5080, 0x4090, // subi, sbci
        0xe060, 0xe070, // of a function
        0xe0e0, 0x0000, 0xe0f0, // low, nop, high
        0x50e0, 0x0000, 0x40f0, // low, nop, high
        0xe0a0, 0x0000, 0xe0b0, // of a function
        0xe040, 0xe050, // of a call
        0x9508, // ret
        0x3080, // cpi
        0x5080, 0x4090, // subi, sbci, not negated
        0x5080, 0x4090, // of a function
        0x5080, 0x4090, // of a function, not negated
    ];
    (18, code, |at| {
        vec![
            reference(0, Kind::Word, at(Block::Objects, 0)),
            reference(2, Kind::FunctionWord, at(Block::Flash, 22)),
            reference(4, Kind::Word, at(Block::Objects, 272)),
            reference(12, Kind::Word, at(Block::Flash, 14)),
            reference(16, Kind::CallWord, Target::Call(2)),
            reference(18, Kind::Call, Target::Call(7)),
            reference(22, Kind::Jump, at(Block::Flash, 18)),
            reference(28, Kind::Word, at(Block::Data, 4)),
            reference(32, Kind::Word, Target::Beyond(Block::Data, -2)),
            reference(34, Kind::Ldi, at(Block::Data, 32)),
            reference(38, Kind::Subi, at(Block::Data, 8)),
            reference(42, Kind::FunctionLdi, at(Block::Flash, 18)),
            reference(46, Kind::Low, at(Block::Objects, 4)),
            reference(50, Kind::High, at(Block::Objects, 4)),
            reference(52, Kind::SubiLow, at(Block::Data, 8)),
            reference(56, Kind::SbciHigh, Target::Beyond(Block::Objects, 1000)),
            reference(58, Kind::FunctionLow, at(Block::Flash, 18)),
            reference(62, Kind::FunctionHigh, at(Block::Flash, 18)),
            reference(64, Kind::CallLdi, Target::Call(1)),
            reference(70, Kind::CpiLow, at(Block::Data, 4)),
            reference(72, Kind::Minus, at(Block::Data, 8)),
            reference(76, Kind::FunctionSubi, at(Block::Flash, 18)),
            reference(80, Kind::FunctionMinus, at(Block::Flash, 18)),
        ]
    })
}

/// A record that is skipped.
pub fn optional() -> Record {
    Record { kind: 200, contents: vec![1, 2, 3] }
}
