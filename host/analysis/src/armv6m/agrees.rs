// SPDX-License-Identifier: MIT OR Apache-2.0
//! What evaluation says is what the core does: every encoding, each in states in which all is known, and in states in
//! which some is. If all is known, so is all that follows; what is not known is never claimed.

use super::evaluate::Leads;
use super::state::State;
use super::value::Value;
use crate::flags::Flags;
use crate::random::Random;
use lichen_isa::armv6m::{Core, Memory, NoDevices, Options, PRIMASK, RAM_BASE, XPSR, instruction};
use lichen_isa::{Cycle, Width};
use std::collections::BTreeMap;

const CODE: u32 = 0x900;
/// Where the stack pointer is at depth 0.
const TOP: u32 = RAM_BASE + 0x800;
const NOP: u16 = 0xBF00;
const FLAGS: u32 = 0xF << 28;
const SP: usize = 13;
const PC: usize = 15;

struct Machine {
    core: Core,
    memory: Memory,
}

/// A number, or an address in the stack.
fn number(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => TOP - 4 * random.below(32),
        1 => random.below(40),
        2 => RAM_BASE + 0x400 + 4 * random.below(16),
        _ => random.next(),
    }
}

/// What is known of a number.
fn known(random: &mut Random, number: u32, all: bool) -> Value {
    let depth = TOP.wrapping_sub(number) as i32;
    match if all { 0 } else { random.below(4) } {
        1 if (0..0x100).contains(&depth) => Value::Stack(depth),
        2 => Value::words([number, random.next()]),
        3 => Value::Unknown,
        _ => Value::word(number),
    }
}

/// Whether a value may be a number.
fn may_be(value: Value, number: u32) -> bool {
    match value {
        Value::Words(words) => words.contains(&number),
        Value::Stack(depth) => TOP.wrapping_sub(depth as u32) == number,
        Value::Unknown | Value::Return => true,
    }
}

fn state(machine: &mut Machine, random: &mut Random, all: bool) -> State {
    let depth = 4 * random.below(8) as i32 + 0x20;
    let numbers: [u32; 16] = std::array::from_fn(|_| number(random));
    let mut registers = numbers.map(|number| known(random, number, all));
    registers[PC] = Value::Unknown;
    let mut saved = BTreeMap::new();
    for at in (4..=0x80).step_by(4) {
        let number = number(random);
        machine.memory.store(TOP - at, Width::Word, number).expect("in RAM");
        let value = known(random, number, all);
        if value != Value::Unknown && at as i32 <= depth {
            saved.insert(at as i32, value);
        }
    }
    let bits = random.next() & FLAGS;
    let flags = Flags::of(if all { FLAGS } else { random.next() & FLAGS }, bits);
    let masked = random.below(2) == 0;
    machine.core = Core::new(Options::default());
    machine.core.reset(&machine.memory);
    for (register, number) in numbers.iter().enumerate() {
        machine.core.set_register(register, *number);
    }
    machine.core.set_register(SP, TOP - depth as u32);
    machine.core.set_register(XPSR, 1 << 24 | bits);
    machine.core.set_register(PRIMASK, masked.into());
    machine.core.set_register(PC, CODE);
    State { depth, registers, saved, masked, flags }
}

/// Executes and evaluates an encoding; whether it did not fault.
fn agrees(machine: &mut Machine, random: &mut Random, code: [u16; 2], all: bool) -> bool {
    let mut state = state(machine, random, all);
    let before = state.clone();
    let (leads, next) = state.perform(None, CODE, code[0], Some(code[1]));
    machine.core.run(&mut machine.memory, &mut NoDevices, Cycle(1));
    if machine.core.first_fault().is_some() || machine.core.instructions() != 1 {
        return false;
    }
    let it = instruction(CODE, code[0], Some(code[1]));
    let what = || format!("{code:04x?} {leads:x?} {state:x?} from {before:x?}");
    goes_where_it_says(machine, leads, next, &what);
    for register in 0..15 {
        let number = machine.core.register(register);
        if register == SP {
            let sp = if let Leads::Stack(value) = leads { value } else { state.read(13) };
            assert!(may_be(sp, number) || matches!(leads, Leads::Special(..)), "sp: {}", what());
            continue;
        }
        assert!(may_be(state.registers[register], number), "r{register}: {}", what());
        let exact = all && it.access.is_none() && it.system.is_none();
        let exact = exact && !it.reads.contains(SP as u8);
        assert!(!exact || state.registers[register].single().is_some(), "r{register}: {}", what());
    }
    let bits = machine.core.register(XPSR) & FLAGS;
    assert!(state.flags.fit(bits), "flags {bits:x}: {}", what());
    let exact = all && it.system.is_none() && !it.reads.contains(SP as u8);
    assert!(!exact || state.flags.known(FLAGS) == FLAGS, "flags: {}", what());
    assert!(!state.masked || machine.core.register(PRIMASK) != 0, "{}", what());
    for (depth, value) in &state.saved {
        let word = machine.memory.read(TOP.wrapping_sub(*depth as u32), Width::Word);
        assert!(word.is_none_or(|word| may_be(*value, word)), "word at {depth}: {}", what());
    }
    true
}

fn goes_where_it_says(machine: &Machine, leads: Leads, next: u32, what: &dyn Fn() -> String) {
    let pc = machine.core.register(PC);
    match leads {
        Leads::Next | Leads::Service | Leads::Stack(_) | Leads::Special(..) => {
            assert_eq!(pc, next, "{}", what());
        }
        Leads::Branch(to) | Leads::BranchIf(to, Some(true)) | Leads::Call(to) => {
            assert_eq!(pc, to, "{}", what());
        }
        Leads::BranchIf(_, Some(false)) => assert_eq!(pc, next, "{}", what()),
        Leads::BranchIf(to, None) => assert!(pc == to || pc == next, "{}", what()),
        Leads::CallValue(to) | Leads::Jump(_, to) => {
            assert!(may_be(to, pc) || may_be(to, pc | 1), "{}", what());
        }
        Leads::Stop => panic!("no fault: {}", what()),
    }
}

#[test]
fn evaluation_says_what_the_core_does() {
    let mut random = Random(7);
    let mut machine =
        Machine { core: Core::new(Options::default()), memory: Memory::new(0x2000, 0x2000) };
    let mut executed = 0;
    for first in 0..0xF800 {
        let seconds: &[u16] =
            if first < 0xE800 { &[NOP] } else { &[0xF800, 0xD123, 0x8005, 0x8800] };
        for second in seconds {
            for (at, half) in [(CODE, first), (CODE + 2, *second)] {
                machine.memory.write(at, &half.to_le_bytes()).expect("in flash");
            }
            for all in [true, false, false] {
                executed += u32::from(agrees(&mut machine, &mut random, [first, *second], all));
            }
        }
    }
    assert!(executed > 130_000, "only {executed} were executed");
}
