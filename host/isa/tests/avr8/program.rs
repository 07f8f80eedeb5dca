// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random programs with random handlers: an endless loop that computes, loads and stores in SRAM and in
//! I/O registers, sleeps, masks interrupts and calls functions.
//!
//! Y holds an address in SRAM; nothing else is written to it.

use super::code::*;
use super::machine::*;
use lichen_isa::avr8::SREG as SREG_NUMBER;

const DATA: u16 = 0x200;
/// Words between [`START`] and the function, minus what the last unit and the loop's branch may add.
const MOST_WORDS: usize = 250;
/// The same within a handler.
const MOST_OF_HANDLER: usize = 8;
/// Vectors that are requested.
pub const VECTORS: u64 = 12;
/// A function that units call.
const FUNCTION: u32 = 0x1000;

/// splitmix64: the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number from 0 to `end - 1`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn word(&mut self, end: u16) -> u16 {
        self.below(end.into()) as u16
    }

    /// r0 to r25.
    fn register(&mut self) -> u16 {
        self.word(26)
    }

    /// Request lines.
    pub fn lines(&mut self) -> u64 {
        self.next() & self.next() & ((1 << VECTORS) - 1) & !1
    }
}

/// A machine that is about to run a random program.
pub fn machine(random: &mut Random) -> Machine {
    let mut code = Vec::new();
    let length = 20 + random.below(MOST_WORDS as u64 - 20) as usize;
    while code.len() < length {
        unit(random, &mut code);
    }
    let mut machine = looping(code, random);
    for vector in 1..VECTORS as u32 {
        let mut code = Vec::new();
        let length = random.below(MOST_OF_HANDLER as u64) as usize;
        while code.len() < length {
            unit(random, &mut code);
        }
        code.push(RETI);
        machine.place(handler(vector), &code);
    }
    machine
}

/// A machine that is about to run a random program of polling loops: most of them repeat, some
/// count, store, or read a register that changes all the time.
pub fn polling(random: &mut Random) -> Machine {
    let mut code = Vec::new();
    while code.len() < MOST_WORDS / 2 {
        unit(random, &mut code);
        polling_loop(random, &mut code);
    }
    let mut machine = looping(code, random);
    let (mut cycle, mut value) = (machine.now(), 0);
    machine.bus.polled = (0..40)
        .map(|_| {
            cycle += 1 + random.below(2_000);
            value = if random.below(4) == 0 { random.next() as u8 } else { !value };
            (cycle, value)
        })
        .collect();
    machine
}

/// The code, repeated for ever, and everything around it.
fn looping(mut code: Vec<u16>, random: &mut Random) -> Machine {
    let back = -(code.len() as i16 + 1);
    code.push(rjmp(back));
    let mut machine = Machine::new(&code);
    machine.place(FUNCTION, &[inc(random.register()), push(3), input(4, SREG), pop(5), RET]);
    machine.bus.sleeps = random.below(2) == 0;
    machine.bus.stall = random.below(4) as u32;
    machine.bus.raises = random.lines();
    for number in 0..26 {
        machine.core.set_register(number, random.next() as u32);
    }
    for (number, byte) in (28..30).zip(DATA.to_le_bytes()) {
        machine.core.set_register(number, byte.into());
    }
    machine.core.set_register(SREG_NUMBER, random.next() as u32);
    machine
}

/// Adds one instruction, or a few that belong together.
fn unit(random: &mut Random, code: &mut Vec<u16>) {
    let (rd, rr, value) = (random.register(), random.register(), random.next() as u8);
    let high = 16 + random.word(10);
    let two = |operation: u16| operation << 10 | rd << 4 | rr & 15 | (rr & 16) << 5;
    match random.below(24) {
        // CPC, SBC, ADD; CP to MOV.
        0..=1 => code.push(two(1 + random.word(3))),
        2..=4 => code.push(two(5 + random.word(7))),
        // CPI to ANDI.
        5..=6 => code.push((3 + random.word(5)) << 12 | (ldi(high, value) & 0xFFF)),
        7 => code.push(ldi(high, value)),
        // COM, NEG, SWAP, INC, ASR, LSR, ROR, DEC.
        8 => code.push(0x9400 | rd << 4 | [0, 1, 2, 3, 5, 6, 7, 10][random.below(8) as usize]),
        // ADIW and SBIW of r25:r24, MUL.
        9 => code.push([0x9600, 0x9700][random.below(2) as usize] | random.word(16)),
        10 => code.push(two(0b100111)),
        // LDD and STD through Y.
        11..=13 => code.push(0x8008 | random.word(2) << 9 | rd << 4 | random.word(8)),
        14 => code.extend(sts(DATA + random.word(64), rd)),
        15 => code.extend([push(rd), two(3), pop(rr)]),
        // A branch, forwards, on any flag but I.
        16 => code.push(0xF000 | random.word(2) << 10 | random.word(2) << 3 | random.word(7)),
        17 => code.push([SEI, SEI, CLI][random.below(3) as usize]),
        18 => code.push([SLEEP, WDR, NOP][random.below(3) as usize]),
        // SREG as a critical section handles it.
        19 => code.extend([input(rd, SREG), CLI, two(3), out(SREG, rd)]),
        20 => code.push(if random.below(4) == 0 { out(io::RAISE, rd) } else { out(io::PLAIN, rd) }),
        21 => code.push(input(rd, [io::COUNTER, io::PLAIN, SPL][random.below(3) as usize])),
        22 => code.extend(call(FUNCTION)),
        // A skip over one instruction.
        _ => {
            code.push([two(4), sbis(io::PLAIN, random.word(8))][random.below(2) as usize]);
            code.extend([&[inc(rr)][..], &lds(rd, 0x3000)][random.below(2) as usize]);
        }
    }
}

/// Adds a loop that polls until a bit of [`io::POLLED`] is set, or clear.
fn polling_loop(random: &mut Random, code: &mut Vec<u16>) {
    let start = code.len();
    for _ in 0..random.below(5) {
        let (rd, rr) = (16 + random.word(8), random.register());
        match random.below(20) {
            0 => code.push(input(rd, io::COUNTER)),
            1 => code.push(inc(rd)),
            2 => code.push(out(io::PLAIN, rd)),
            3 => code.extend([push(rd), pop(rd)]),
            4 => code.extend(call(FUNCTION)),
            5..=8 => code.push(0x8008 | rd << 4 | random.word(8)), // ldd rd, Y+q
            9..=11 => code.push(0x7000 | ldi(rd, 0x0F) & 0xFFF),   // andi rd, 15
            12 => code.extend([CLI, SEI]),
            13 => code.push(0x2C00 | rd << 4 | rr & 15), // mov
            _ => code.push(ldi(rd, random.next() as u8)),
        }
    }
    let back = |code: &Vec<u16>| rjmp(start as i16 - (code.len() as i16 + 1));
    let bit = random.word(8);
    match random.below(3) {
        0 => code.push(sbis(io::POLLED, bit)),
        1 => code.push(sbis(io::POLLED, bit) & !0x0200), // sbic
        // in r24, POLLED; sbrs r24, bit
        _ => code.extend([input(24, io::POLLED), 0xFE00 | 24 << 4 | bit]),
    }
    code.push(back(code));
}
