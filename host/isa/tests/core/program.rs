// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random programs with random handlers: an endless loop that computes, loads and stores single
//! and multiple words in RAM and in a device, sleeps, masks interrupts and calls the supervisor.
//!
//! R6 holds an address in RAM and R7 that of the device; nothing else is written to them.

use super::machine::*;
use lichen_isa::armv6m::RAM_BASE;

const DATA: u32 = RAM_BASE + 0x100;
const DATA_BYTES: u32 = 128;
/// Instructions between [`START`] and the handlers, minus what the last unit and the loop's branch
/// may add.
const MOST_INSTRUCTIONS: usize = 100;
/// The same within a handler.
const MOST_OF_HANDLER: usize = 6;
/// Interrupt lines that are enabled.
const LINES: u32 = 8;

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

    fn bits(&mut self, count: u32) -> u16 {
        (self.next() >> (64 - count)) as u16
    }

    /// R0 to R5.
    fn register(&mut self) -> u16 {
        self.below(6) as u16
    }
}

/// A machine that is about to run a random program.
pub fn machine(random: &mut Random) -> Machine {
    let mut code = Vec::new();
    let length = 10 + random.below(MOST_INSTRUCTIONS as u64 - 10) as usize;
    while code.len() < length {
        unit(random, &mut code);
    }
    // Back to the start: the offset counts from two instructions on.
    let back = -(code.len() as i32 + 2);
    code.push(0xE000 | (back as u16 & 0x7FF));
    let mut machine = Machine::new(&code);
    for exception in (2..16).chain(IRQ0..IRQ0 + LINES) {
        let mut code = Vec::new();
        let length = random.below(MOST_OF_HANDLER as u64) as usize;
        while code.len() < length {
            unit(random, &mut code);
        }
        code.push(BX_LR);
        machine.place(handler(exception), &code);
    }
    set_up(&mut machine, random);
    machine
}

/// A machine that is about to run a random program of polling loops: most of them repeat, some
/// count, store, or read a register that changes all the time.
pub fn polling(random: &mut Random) -> Machine {
    let mut code = Vec::new();
    while code.len() < MOST_INSTRUCTIONS - 30 {
        unit(random, &mut code);
        polling_loop(random, &mut code);
    }
    let back = -(code.len() as i32 + 2);
    code.push(0xE000 | (back as u16 & 0x7FF));
    let mut machine = Machine::new(&code);
    set_up(&mut machine, random);
    machine.write(SYST_RVR, 500 + random.below(5_000) as u32);
    machine.core.set_register(7, POLLED);
    machine.bus.stall = 0;
    let (mut cycle, mut value) = (machine.now(), 0);
    machine.bus.polled = (0..40)
        .map(|_| {
            cycle += 1 + random.below(2_000);
            value = if random.below(4) == 0 { random.next() as u32 } else { !value };
            (cycle, value)
        })
        .collect();
    machine
}

/// Adds a loop that polls until bit 7 of [`POLLED`] is set, or clear.
fn polling_loop(random: &mut Random, code: &mut Vec<u16>) {
    let start = code.len();
    for _ in 0..random.below(5) {
        let rd = random.below(4) as u16;
        match random.below(24) {
            0 => code.push(0x6878),                   // ldr r0, [r7, #4]: the counter
            1 => code.push(0x3001),                   // adds r0, #1
            2 => code.push(0x60B8 | rd),              // str rd, [r7, #8]
            3 => code.extend([0xB403, 0xBC03]),       // push {r0, r1}; pop {r0, r1}
            4..=8 => code.push(0x6830 | rd),          // ldr rd, [r6]
            9..=11 => code.push(0x4800 | rd << 8),    // ldr rd, [pc]
            12..=14 => code.extend([0x4635, 0xCD0F]), // mov r5, r6; ldmia r5!, {r0-r3}
            15..=17 => code.push(0x4018 | rd),        // ands rd, r3
            // ldr r0, [r6]; adds r0, #1; str r0, [r6]; movs r0, #0
            18 => code.extend([0x6830, 0x3001, 0x6030, 0x2000]),
            _ => code.push(0x2000 | rd << 8 | random.bits(8)), // movs rd, #imm
        }
    }
    let set = random.bits(1);
    // ldrb r4, [r7]; lsrs r4, r4, #8; bcs or bcc back
    code.extend([0x783C, 0x0A24]);
    let back = start as i32 - (code.len() as i32 + 2);
    code.push(0xD200 | set << 8 | back as u8 as u16);
}

fn set_up(machine: &mut Machine, random: &mut Random) {
    for line in 0..LINES {
        machine.enable(line, random.bits(2).into());
    }
    machine.write(SHPR2, random.next() as u32);
    machine.write(SHPR3, random.next() as u32);
    machine.write(SYST_RVR, 40 + random.below(400) as u32);
    machine.write(SYST_CSR, random.bits(3).into());
    let wait_states = random.below(3) as u32;
    match random.below(3) {
        0 => machine.wait_states_uncached(wait_states),
        _ => machine.wait_states(wait_states),
    }
    machine.bus.stall = random.below(6) as u32;
    machine.bus.raises = 1 << random.below(32);
    let data: Vec<u8> = (0..DATA_BYTES).map(|_| random.next() as u8).collect();
    machine.memory.write(DATA, &data).expect("in RAM");
    for register in 0..6 {
        machine.core.set_register(register, random.next() as u32);
    }
    machine.core.set_register(6, DATA);
    machine.core.set_register(7, DEVICE);
}

/// Adds one instruction, or a few that belong together.
fn unit(random: &mut Random, code: &mut Vec<u16>) {
    let (rd, list) = (random.register(), random.below(63) as u16 + 1);
    match random.below(17) {
        // Data processing on R0 to R5; the same bits are an immediate or two more registers.
        0..=2 => code.push(random.below(0x2000) as u16 & !7 | rd),
        3 => code.push(0x2000 | random.bits(2) << 11 | rd << 8 | random.bits(8)),
        4 => code.push(0x4000 | random.bits(7) << 3 | rd),
        5 => code.push(0x6030 | random.bits(1) << 11 | random.bits(5) << 6 | rd),
        6 => code.push(0x7030 | random.bits(1) << 11 | random.bits(5) << 6 | rd),
        7 => code.push(0x6038 | random.bits(1) << 11 | random.bits(5) << 6 | rd),
        // PUSH and POP of the same registers, with something in between.
        8 => code.extend([0xB400 | list, 0x4000 | random.bits(7) << 3 | rd, 0xBC00 | list]),
        // MOV R5 from R6 or R7, then LDM or STM.
        9 => code.extend([0x4635, 0xC500 | random.bits(1) << 11 | list & 0x1F | 1]),
        10 => code.extend([0x463D, 0xC500 | random.bits(1) << 11 | list & 0x1F | 1]),
        // A branch, mostly forwards, on any condition.
        11 => code.push(0xD000 | (random.below(14) as u16) << 8 | random.bits(2)),
        12 => code.push([CPSID, CPSIE, CPSIE][random.below(3) as usize]),
        13 => code.push([NOP, WFI, WFE, SEV, SVC][random.below(5) as usize]),
        // MRS from APSR, IPSR or XPSR; DMB.
        // LDR of a literal, which may evict a line of the code.
        15 => code.push(0x4800 | rd << 8 | random.bits(8)),
        14 => code.extend([0xF3EF, 0x8000 | rd << 8 | [0, 5, 3][random.below(3) as usize]]),
        _ => code.extend([0xF3BF, 0x8F5F]),
    }
}
