// SPDX-License-Identifier: MIT OR Apache-2.0
//! What evaluation says is what the core does: every word, each in states in which all is known, and in states in which
//! some is. If all is known, so is all that follows; what is not known is never claimed.

use super::evaluate::Leads;
use super::registers::Registers;
use super::state::State;
use super::value::{Half, Value};
use crate::flags::Flags;
use crate::random::Random;
use lichen_isa::avr8::{Core, DATA_BASE, Memory, NoDevices, PC, SP, SREG, instruction};
use lichen_isa::{Cycle, Instruction};
use std::collections::BTreeMap;

const CODE: u32 = 0x900;
/// Where the stack pointer is at depth 0.
const TOP: u16 = 0x0800;
const END: u16 = 0x1100;
/// I.
const UNMASKED: u32 = 0x80;

struct Machine {
    core: Core,
    memory: Memory,
}

/// What is known of a byte.
fn known(random: &mut Random, byte: u8, all: bool) -> Value {
    match if all { 0 } else { random.below(3) } {
        1 => Value::bytes([byte, random.next() as u8]),
        2 => Value::Unknown,
        _ => Value::byte(byte),
    }
}

/// The stack pointer at a depth.
fn pointer(depth: i32) -> u16 {
    TOP.wrapping_sub(depth as u16)
}

/// Whether a value may be a byte.
fn may_be(value: Value, byte: u8) -> bool {
    match value {
        Value::Bytes(bytes) => bytes.contains(&byte),
        Value::Stack(Half { depth, high }) => {
            pointer(depth).to_le_bytes()[usize::from(high)] == byte
        }
        Value::Status { masked } => !masked || byte & UNMASKED as u8 == 0,
        Value::Unknown | Value::Left(_) => true,
    }
}

fn state(machine: &mut Machine, random: &mut Random, it: &Instruction, all: bool) -> State {
    let depth = 0x20 + random.below(0x20) as i32;
    let mut bytes: [u8; 32] = std::array::from_fn(|_| match random.below(3) {
        0 => random.below(2) as u8,
        _ => random.next() as u8,
    });
    // Pointers lead to SRAM, some to the stack.
    for high in [27, 29, 31].into_iter().filter(|_| it.access.is_some()) {
        bytes[high] = [2, 3, 5][random.below(3) as usize];
    }
    let mut registers = Registers::default();
    for (register, byte) in bytes.iter().enumerate() {
        registers.set(register as u8, known(random, *byte, all));
    }
    let mut state = State { depth, registers, masked: random.below(2) == 0, ..State::default() };
    for pair in [26, 28, 30] {
        if !all && random.below(3) == 0 {
            let at = depth - random.below(0x18) as i32;
            bytes[pair..pair + 2].copy_from_slice(&pointer(at).to_le_bytes());
            state.point_to(pair as u8, at);
        }
    }
    state.saved = BTreeMap::new();
    for at in 1..0x60 {
        let byte = random.next() as u8;
        let address = DATA_BASE + u32::from(TOP - at + 1);
        machine.memory.write(address, &[byte]).expect("in SRAM");
        let value = known(random, byte, all);
        if value != Value::Unknown && i32::from(at) <= depth {
            state.saved.insert(at.into(), value);
        }
    }
    let bits = random.next() & 0x7F;
    state.flags = Flags::of(if all { 0x7F } else { random.next() & 0x7F }, bits);
    machine.core = Core::new();
    machine.core.reset(0);
    for (register, byte) in bytes.iter().enumerate() {
        machine.core.set_register(register, (*byte).into());
    }
    machine.core.set_register(SP, pointer(depth).into());
    machine.core.set_register(SREG, bits | if state.masked { 0 } else { UNMASKED });
    machine.core.set_register(PC, CODE);
    state
}

fn agrees(machine: &mut Machine, random: &mut Random, code: [u16; 2], all: bool) {
    let it = instruction(CODE, code[0], code[1]);
    let mut state = state(machine, random, &it, all);
    let before = state.clone();
    let (leads, next) = state.perform(CODE, code[0], code[1]);
    machine.core.run(&mut machine.memory, &mut NoDevices, Cycle(1));
    let what = || format!("{code:04x?} {leads:x?} {state:x?} from {before:x?}");
    goes_where_it_says(machine, &leads, next, &what);
    let exact = all && it.access.is_none() && it.system.is_none();
    for register in 0..32 {
        let (value, byte) = (*state.read(register), machine.core.register(register.into()) as u8);
        assert!(may_be(value, byte), "r{register} {byte:x}: {}", what());
        assert!(!exact || value.single().is_some(), "r{register}: {}", what());
    }
    let sp = machine.core.register(SP);
    match leads {
        Leads::StackPointer { high, value } => {
            let half = (sp as u16).to_le_bytes()[usize::from(high)];
            assert!(may_be(value, half), "sp {sp:x}: {}", what());
        }
        _ => assert_eq!(sp, pointer(state.depth).into(), "sp: {}", what()),
    }
    let sreg = machine.core.register(SREG);
    assert!(state.flags.fit(sreg & 0x7F), "sreg {sreg:x}: {}", what());
    assert!(!exact || state.flags.known(0x7F) == 0x7F, "flags: {}", what());
    assert!(!state.masked || sreg & UNMASKED == 0, "{}", what());
    for (depth, value) in &state.saved {
        let mut byte = [0];
        let address = DATA_BASE + u32::from(pointer(depth - 1));
        machine.memory.peek(address, &mut byte).expect("in SRAM");
        assert!(may_be(*value, byte[0]), "byte at {depth}: {}", what());
    }
}

fn goes_where_it_says(machine: &Machine, leads: &Leads, next: u32, what: &dyn Fn() -> String) {
    let pc = machine.core.register(PC);
    match *leads {
        Leads::Next | Leads::StackPointer { .. } | Leads::Stop => {
            assert_eq!(pc, next, "{}", what())
        }
        Leads::Branch(to) | Leads::BranchIf(to, Some(true)) | Leads::Call(to) => {
            assert_eq!(pc, to, "{}", what());
        }
        Leads::BranchIf(_, Some(false)) => assert_eq!(pc, next, "{}", what()),
        Leads::BranchIf(to, None) => assert!(pc == to || pc == next, "{}", what()),
        Leads::Return(to) => {
            let to = to.single().map(|word| 2 * u32::from(word));
            assert!(to.is_none_or(|to| to == pc), "{}", what());
        }
        Leads::Jump | Leads::CallPointer => {}
    }
}

#[test]
fn evaluation_says_what_the_core_does() {
    let mut random = Random(9);
    let mut machine = Machine { core: Core::new(), memory: Memory::new(0x2000, END) };
    for first in 0..=u16::MAX {
        for second in [0, 0x940E, 0x005D, 0x005F, 0x0012] {
            let it = instruction(CODE, first, second);
            if second != 0 && it == instruction(CODE, first, 0) {
                continue;
            }
            for (at, word) in [(CODE, first), (CODE + 2, second)] {
                machine.memory.write(at, &word.to_le_bytes()).expect("in flash");
            }
            for all in [true, false, false] {
                agrees(&mut machine, &mut random, [first, second], all);
            }
        }
    }
}

/// SUBI and SBCI move a pointer to the stack, whatever is between them, as long as the borrow is not lost.
#[test]
fn a_borrow_is_followed() {
    let run = |codes: &[u16]| {
        let mut state = State { depth: 20, ..State::default() };
        state.point_to(28, 20);
        codes.iter().for_each(|code| {
            state.perform(0, *code, 0);
        });
        state.points_to(28)
    };
    let (subi, sbci, ldi, cpi) = (0x5CC0, 0x4FDF, 0xE081, 0x3081);
    assert_eq!(run(&[subi, sbci]), Some(20 - 64), "subi r28, 0xc0; sbci r29, 0xff");
    assert_eq!(run(&[subi, ldi, sbci]), Some(20 - 64), "ldi r24, 1 between them");
    assert_eq!(run(&[subi, cpi, sbci]), None, "cpi r24, 1 between them");
}
