// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `effect` says of an instruction is what the core does: every code of 16 bits and the long
//! ones, each with several states of the registers. States in which the instruction faults say
//! nothing.

use super::machine::*;
use super::program::Random;
use lichen_isa::Width;
use lichen_isa::armv6m::{Core, Effect, Options, RAM_BASE, effect};

/// States for each code.
const STATES: u32 = 6;
/// Where the instruction lies, amid words that it may load.
const CODE: u32 = 0x900;
/// The stack pointer.
const TOP: u32 = STACK - 0x100;
/// The flag of equality.
const ZERO: u32 = 1 << 30;

type Registers = [u32; 16];

/// Addresses in RAM, small numbers and any numbers, so that loads and stores rarely fault.
fn value(random: &mut Random) -> u32 {
    match random.below(4) {
        0 | 1 => RAM_BASE + 0x400 + 4 * random.below(64) as u32,
        2 => 4 * random.below(32) as u32,
        _ => random.next() as u32,
    }
}

fn machine(random: &mut Random) -> Machine {
    let mut machine = Machine::new(&[]);
    for (begin, end) in [(CODE - 0x400, 0x2000), (RAM_BASE, RAM_BASE + 0x1000)] {
        for at in (begin..end).step_by(2) {
            machine.place(at, &[random.next() as u16]);
        }
    }
    machine
}

fn registers(machine: &Machine) -> Registers {
    std::array::from_fn(|number| machine.core.register(number))
}

/// A state before an instruction.
struct Before {
    registers: Registers,
    flags: u32,
    /// The word that the instruction loads, if it loads one.
    loaded: Option<u32>,
    /// The words that are popped.
    stack: [u32; 9],
}

fn prepare(machine: &mut Machine, random: &mut Random, code: [u16; 2]) {
    machine.core = Core::new(Options::default());
    machine.core.reset(&machine.memory);
    machine.place(CODE, &code);
    for number in (0..SP).chain([LR]) {
        machine.core.set_register(number, value(random));
    }
    machine.core.set_register(SP, TOP);
    machine.core.set_register(PC, CODE);
    machine.core.set_register(XPSR, 1 << 24 | (random.next() as u32) << 28);
}

fn before(machine: &Machine, effect: Effect) -> Before {
    let registers = registers(machine);
    let read = |address: u32| machine.memory.read(address, Width::Word);
    let loaded = match effect {
        Effect::Literal { address, .. } => read(address),
        Effect::Load { rn, offset, .. } => read(registers[usize::from(rn)].wrapping_add(offset)),
        _ => None,
    };
    let stack = std::array::from_fn(|word| machine.word(TOP + 4 * word as u32));
    Before { registers, flags: machine.core.register(XPSR), loaded, stack }
}

/// Executes an instruction in a random state; whether it did not fault.
fn agrees(machine: &mut Machine, random: &mut Random, code: [u16; 2]) -> bool {
    prepare(machine, random, code);
    let (effect, bytes) = effect(CODE, code[0], Some(code[1]));
    let before = before(machine, effect);
    machine.step();
    if machine.core.first_fault().is_some() {
        return false;
    }
    let (unsaid, wanted) = predicted(machine, effect, CODE + bytes, &before);
    let after = registers(machine);
    for number in (0..16).filter(|number| unsaid >> number & 1 == 0) {
        let what = format!("r{number} behind {:04x} {:04x}, {effect:?}", code[0], code[1]);
        assert_eq!(after[number], wanted[number], "{what}");
    }
    true
}

/// A set of registers of which nothing is said, and what the others are.
fn predicted(machine: &Machine, effect: Effect, next: u32, before: &Before) -> (u16, Registers) {
    let mut after = before.registers;
    after[PC] = next;
    let mut unsaid = 0;
    let of = |register: u8| match usize::from(register) {
        PC => CODE + 4, // as instructions read it
        register => before.registers[register],
    };
    let mut set = |register: usize, value: u32| after[register] = value;
    match effect {
        Effect::Changes(registers) => unsaid = registers,
        Effect::Constant { rd, value } => set(rd.into(), value),
        Effect::Invert { rd, rm } => set(rd.into(), !of(rm)),
        Effect::Literal { rd, .. } | Effect::Load { rd, .. } => match before.loaded {
            Some(word) => set(rd.into(), word),
            None => unsaid = 1 << rd, // of a device
        },
        Effect::Store { rt, offset } => {
            assert_eq!(machine.word(TOP + offset), of(rt), "r{rt} at {offset} from sp");
        }
        Effect::ShiftLeft { rd, rm, bits } => set(rd.into(), of(rm) << bits),
        Effect::ReadSpecial { rd, .. } => unsaid = 1 << rd,
        Effect::Add { rd, rn, addend } => set(rd.into(), of(rn).wrapping_add_signed(addend)),
        Effect::Sum { rd, rm } => set(rd.into(), of(rd).wrapping_add(of(rm))),
        Effect::Compare { rn, value } => {
            let equal = machine.core.register(XPSR) & ZERO != 0;
            assert_eq!(equal, of(rn) == value, "r{rn} compared with {value}");
        }
        Effect::Push(registers) => {
            let begin = TOP - 4 * registers.count_ones();
            let pushed = (0..16u8).filter(|register| registers >> register & 1 != 0);
            for (at, register) in (begin..).step_by(4).zip(pushed) {
                assert_eq!(machine.word(at), of(register), "r{register} in {registers:04x}");
            }
            set(SP, begin);
        }
        Effect::Pop(registers) => {
            let popped = (0..16).filter(|register| registers >> register & 1 != 0);
            for (word, register) in before.stack.into_iter().zip(popped) {
                set(register, if register == PC { word & !1 } else { word });
            }
            set(SP, TOP + 4 * registers.count_ones());
        }
        Effect::Branch(to) => set(PC, to),
        Effect::BranchIf { to, condition } => {
            let taken = match condition.equality() {
                Some(equal) => equal == (before.flags & ZERO != 0),
                None => machine.pc() == to,
            };
            set(PC, if taken { to } else { next });
        }
        // Where the core defines none, or one that is not followed.
        Effect::Jump { rm: 15, .. } | Effect::CallRegister(15) => unsaid = 1 << PC | 1 << LR,
        Effect::Jump { rm, .. } => set(PC, of(rm) & !1),
        Effect::Call(to) => {
            set(PC, to);
            set(LR, next | 1);
        }
        Effect::CallRegister(register) => {
            set(PC, of(register) & !1);
            set(LR, next | 1);
        }
        Effect::Mask(masked) => {
            assert_eq!(machine.core.register(PRIMASK), u32::from(masked));
        }
        Effect::Special { .. } | Effect::Service => unsaid = u16::MAX,
        Effect::Stop => panic!("execution does not end"),
    }
    after[SP] &= !3;
    (unsaid, after)
}

/// Whether any of the states of a code is without a fault.
fn agrees_somewhere(machine: &mut Machine, random: &mut Random, code: [u16; 2]) -> bool {
    (0..STATES).filter(|_| agrees(machine, random, code)).count() > 0
}

#[test]
fn an_effect_is_what_the_core_does() {
    let mut random = Random(1);
    let mut machine = machine(&mut random);
    let mut executed = 0;
    for first in 0..0xe800 {
        executed += u32::from(agrees_somewhere(&mut machine, &mut random, [first, NOP]));
    }
    // The others are undefined, or fault in each of the states.
    assert!(executed > 55_000, "only {executed} were executed");
}

#[test]
fn the_effect_of_a_long_code_is_what_the_core_does() {
    let mut random = Random(2);
    let mut machine = machine(&mut random);
    // A call as far as flash reaches, in both directions.
    for (high, lows) in [(0xf000, 0xf800..0xfb00), (0xf7ff, 0xfc00..0xffff)] {
        for low in lows {
            assert!(agrees_somewhere(&mut machine, &mut random, [high, low]), "{low:04x}");
        }
    }
    // MRS, and MSR of the flags.
    for register in 0..13 {
        assert!(agrees_somewhere(&mut machine, &mut random, [0xf3ef, 0x8000 | register << 8]));
        assert!(agrees_somewhere(&mut machine, &mut random, [0xf380 | register, 0x8800]));
    }
}
