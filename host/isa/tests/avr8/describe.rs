// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `instruction` says of an encoding is what the core does: every word, each in several states of
//! registers, flags and memory.
//!
//! Each state is executed twice, the second time with other values in all registers and flags that the
//! instruction is not said to read: nothing else may differ then.

use super::code::{LPM_R0, NOP};
use super::machine::*;
use super::program::Random;
use lichen_isa::avr8::{Core, DATA_BASE, PC, RAMPZ, SP, SREG, instruction};
use lichen_isa::{Flow, Instruction, Place, System};

/// States for each encoding of which the next word is a part.
const STATES: u32 = 4;
/// Where the instruction lies.
const CODE: u32 = 0x900;
/// r0 to r31, SP and RAMPZ by number; SREG is apart.
const REGISTERS: [usize; 34] = {
    let mut numbers = [0; 34];
    let mut at = 0;
    while at < 32 {
        numbers[at] = at;
        at += 1;
    }
    numbers[32] = SP;
    numbers[33] = RAMPZ;
    numbers
};
/// Words after the first one: of one word, of two words, and an address of the core's registers.
const SECONDS: [u16; 4] = [NOP, 0x940E, 0x9200, 0x005D];

/// Registers by number, and flags.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    registers: [u32; 36],
    flags: u32,
}

/// What an execution did.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    after: State,
    pc: u32,
    cycles: u64,
    /// Address and value of each access to the bus.
    accesses: Vec<(u16, Option<u8>)>,
    events: Vec<Event>,
    /// Bytes of SRAM that changed: data addresses and values.
    stored: Vec<(u16, u8)>,
    /// Where the stack pointer pointed, and the byte below.
    pushed: [u8; 2],
}

/// A state; in it pointers and the stack pointer do not reach registers, if the instruction uses them.
fn state(random: &mut Random, said: &Instruction) -> State {
    let mut registers: [u32; 36] = std::array::from_fn(|_| match random.below(3) {
        0 => random.below(2) as u32,
        _ => random.below(0x100) as u32,
    });
    for high in [27, 29, 31].into_iter().filter(|_| said.access.is_some()) {
        registers[high] = [2, 3, 0x20, 0x7F][random.below(4) as usize];
    }
    registers[SP] = 0x300 + random.below(0x100) as u32;
    registers[RAMPZ] &= 1;
    State { registers, flags: random.below(0x100) as u32 }
}

/// The same, with other values where the instruction is said not to read.
fn other(state: &State, said: &Instruction, random: &mut Random) -> State {
    let mut other = state.clone();
    for number in REGISTERS.into_iter().filter(|number| !said.reads.contains(*number as u8)) {
        let change = 1 << random.below(8);
        other.registers[number] ^= if number == RAMPZ { 1 } else { change };
    }
    other.flags ^= 0xFF & !said.flags_read;
    other
}

fn machine(random: &mut Random) -> Machine {
    let mut machine = Machine::new(&[]);
    let flash: Vec<u8> = (0..FLASH_BYTES).map(|_| random.next() as u8).collect();
    machine.memory.write(0, &flash).expect("in flash");
    let sram: Vec<u8> = (0x100..DATA_END).map(|_| random.next() as u8).collect();
    machine.memory.write(DATA_BASE + 0x100, &sram).expect("in SRAM");
    machine.bus.registers.iter_mut().for_each(|byte| *byte = random.next() as u8);
    machine
}

/// Executes what is at [`CODE`]; the machine's memories are the same afterwards.
fn execute(machine: &mut Machine, state: &State) -> Done {
    let (bus, sram) = (machine.bus.clone(), machine.memory.sram().to_vec());
    machine.core = Core::new();
    for number in REGISTERS {
        machine.core.set_register(number, state.registers[number]);
    }
    machine.core.set_register(SREG, state.flags);
    machine.core.set_register(PC, CODE);
    machine.step();
    let bytes = machine.memory.sram().iter().zip(&sram).zip(0x100..);
    let stored = bytes.filter(|((new, old), _)| new != old).map(|((new, _), at)| (at, *new));
    let stored = stored.collect();
    let sp = state.registers[SP] as u16;
    let pushed = [machine.sram(sp - 1), machine.sram(sp)];
    machine.memory.write(DATA_BASE + 0x100, &sram).expect("in SRAM");
    let done = std::mem::replace(&mut machine.bus, bus);
    let mut registers = state.registers;
    for number in REGISTERS {
        registers[number] = machine.core.register(number);
    }
    Done {
        after: State { registers, flags: machine.core.register(SREG) },
        pc: machine.pc(),
        cycles: machine.now(),
        accesses: done.accesses.iter().map(|access| (access.address, access.written)).collect(),
        events: done.events,
        stored,
        pushed,
    }
}

/// Executes an encoding in a random state.
fn agrees(machine: &mut Machine, random: &mut Random, code: [u16; 2]) {
    let said = instruction(CODE, code[0], code[1]);
    let before = state(random, &said);
    let done = execute(machine, &before);
    let what = || format!("{code:04x?}, {said:?}, {before:x?}, {done:x?}");
    if said.flow == Flow::Undefined {
        assert_eq!(done.events, [Event::Undefined(CODE, code[0])], "{}", what());
        assert_eq!(said.system, None, "{}", what());
    }
    goes_where_it_says(&said, &before, &done, &what);
    changes_what_it_says(&said, &before, &done, &what);
    accesses_what_it_says(&said, &before, &done, &what);
    does_to_the_processor_what_it_says(machine, &said, &done, &what);
    let other = other(&before, &said, random);
    let again = execute(machine, &other);
    reads_what_it_says(&said, (&before, &done), (&other, &again), &what);
}

type What<'a> = &'a dyn Fn() -> String;

fn goes_where_it_says(said: &Instruction, before: &State, done: &Done, what: What<'_>) {
    let next = CODE + said.bytes;
    let cycles = if done.pc == next { said.cycles.next } else { said.cycles.taken };
    match said.flow {
        Flow::Next | Flow::Undefined => assert_eq!(done.pc, next, "{}", what()),
        Flow::Branch(to) | Flow::Call(to) => assert_eq!(done.pc, to, "{}", what()),
        // A branch to the next instruction may be taken.
        Flow::BranchIf(to) if to == next => return assert_eq!(done.pc, next, "{}", what()),
        Flow::BranchIf(to) => assert!(done.pc == to || done.pc == next, "{}", what()),
        Flow::Indirect | Flow::IndirectCall => {
            let z = before.registers[30] | before.registers[31] << 8;
            assert_eq!(done.pc, 2 * z, "{}", what());
        }
        Flow::Return => {}
        Flow::Service | Flow::Breakpoint => panic!("AVR has none: {}", what()),
    }
    if said.system == Some(System::Program) {
        return;
    }
    assert_eq!(done.cycles, u64::from(cycles), "{}", what());
    if matches!(said.flow, Flow::Call(_) | Flow::IndirectCall) {
        let back = (next / 2) as u16;
        assert_eq!(done.pushed, back.to_be_bytes(), "{}", what());
    }
}

fn changes_what_it_says(said: &Instruction, before: &State, done: &Done, what: What<'_>) {
    for number in REGISTERS.into_iter().filter(|number| !said.writes.contains(*number as u8)) {
        let (was, is) = (before.registers[number], done.after.registers[number]);
        assert_eq!(is, was, "register {number} changes: {}", what());
    }
    let changed = (done.after.flags ^ before.flags) & !said.flags_written;
    assert_eq!(changed, 0, "flags change: {}", what());
}

/// Whether the core has this data address.
fn is_core(address: u32) -> bool {
    address < 0x20 || [0x5B, 0x5D, 0x5E, 0x5F].contains(&address)
}

fn accesses_what_it_says(said: &Instruction, before: &State, done: &Done, what: What<'_>) {
    let Some(access) = said.access else {
        assert_eq!((&done.accesses[..], &done.stored[..]), (&[][..], &[][..]), "{}", what());
        return;
    };
    let linear = access.address(|register| before.registers[usize::from(register)]);
    let Some(first) = linear.checked_sub(DATA_BASE) else {
        // Flash: r0 or another register has what is there.
        assert!(!access.write && said.bytes == 2, "{}", what());
        return;
    };
    let addresses: Vec<u16> = (first..first + access.bytes()).map(|at| at as u16).collect();
    let here = |at: &u16| addresses.contains(at);
    assert!(done.stored.iter().all(|(at, _)| access.write && here(at)), "{}", what());
    assert!(done.accesses.iter().all(|(at, _)| here(at)), "{}", what());
    let on_bus = !is_core(first) && !(0x100..DATA_END.into()).contains(&first);
    let is_noted = ![io::POLLED, io::COUNTER].map(|io| data(io).into()).contains(&first);
    assert_eq!(!done.accesses.is_empty(), on_bus && (access.write || is_noted), "{}", what());
    let writes = done.accesses.iter().any(|(_, written)| written.is_some());
    assert_eq!(writes, on_bus && access.write, "{}", what());
    if let Place::Fixed(_) = access.place {
        return;
    }
    assert!(!is_core(first), "the states avoid registers: {}", what());
}

fn does_to_the_processor_what_it_says(
    machine: &mut Machine,
    said: &Instruction,
    done: &Done,
    what: What<'_>,
) {
    let i = |on| machine.core.masks_interrupts() != on;
    let as_said = match said.system {
        Some(System::Mask) => i(false),
        Some(System::Unmask) => i(true),
        Some(System::Wait) => machine.core.is_asleep(),
        Some(System::Watchdog) => matches!(done.events[..], [Event::WatchdogReset(_)]),
        Some(System::Program) => matches!(done.events[..], [Event::Programmed(..)]),
        None => done.events.iter().all(|event| matches!(event, Event::Undefined(..))),
        _ => false,
    };
    assert!(as_said, "{}", what());
    assert_eq!(machine.core.is_asleep(), said.system == Some(System::Wait), "{}", what());
}

/// Two states that differ in what is not read lead to the same.
fn reads_what_it_says(said: &Instruction, a: (&State, &Done), b: (&State, &Done), what: What<'_>) {
    let ((_, done), (_, again)) = (a, b);
    assert_eq!((done.pc, done.cycles), (again.pc, again.cycles), "{}", what());
    assert_eq!(done.accesses, again.accesses, "{}", what());
    assert_eq!(done.stored, again.stored, "{}", what());
    assert_eq!(done.events, again.events, "{}", what());
    for number in REGISTERS.into_iter().filter(|number| said.writes.contains(*number as u8)) {
        let (one, two) = (done.after.registers[number], again.after.registers[number]);
        assert_eq!(one, two, "register {number} depends on more: {}", what());
    }
    let differ = (done.after.flags ^ again.after.flags) & said.flags_written;
    assert_eq!(differ, 0, "flags depend on more: {}", what());
}

#[test]
fn a_description_is_what_the_core_does() {
    let mut random = Random(11);
    let mut machine = machine(&mut random);
    machine.bus.sleeps = true;
    for first in 0..=u16::MAX {
        let said = SECONDS.map(|second| instruction(CODE, first, second));
        let is_of_one_word = said.iter().all(|other| *other == said[0]);
        for second in SECONDS {
            machine.place(CODE, &[first, second]);
            let states = if is_of_one_word { 1 } else { STATES };
            (0..states).for_each(|_| agrees(&mut machine, &mut random, [first, second]));
        }
    }
}

#[test]
fn loads_of_program_memory_are_where_they_say() {
    let mut random = Random(14);
    let mut machine = machine(&mut random);
    for first in [LPM_R0, 0x95D8, 0x9054, 0x9056] {
        machine.place(CODE, &[first]);
        let said = instruction(CODE, first, NOP);
        let (before, access) = (state(&mut random, &said), said.access.expect("it loads"));
        let at = access.address(|register| before.registers[usize::from(register)]);
        let done = execute(&mut machine, &before);
        let rd = if first & 0x0400 != 0 { 0 } else { 5 };
        assert_eq!(done.after.registers[rd], flash_byte(&machine.memory, at).into(), "{first:x}");
    }
}

/// Whether any state shows that what `change` changes is read.
fn shows_reading(
    machine: &mut Machine,
    random: &mut Random,
    said: &Instruction,
    change: impl Fn(&mut State),
) -> bool {
    (0..100).any(|_| {
        let before = state(random, said);
        let mut other = before.clone();
        change(&mut other);
        let (done, again) = (execute(machine, &before), execute(machine, &other));
        let kept = |number: usize| {
            done.after.registers[number] == before.registers[number]
                && again.after.registers[number] == other.registers[number]
        };
        let differs = |number: usize| done.after.registers[number] != again.after.registers[number];
        REGISTERS.into_iter().any(|number| differs(number) && !kept(number))
            || (done.after.flags ^ again.after.flags) & said.flags_written != 0
            || (done.pc, done.cycles) != (again.pc, again.cycles)
            || (&done.accesses, &done.stored) != (&again.accesses, &again.stored)
            || done.events != again.events
    })
}

#[test]
fn what_is_read_has_an_influence() {
    let mut random = Random(13);
    let mut machine = machine(&mut random);
    let mut without = Vec::new();
    // Every word would take long; the step is odd, so that all fields vary.
    for first in (0..=u16::MAX).step_by(13) {
        let said = instruction(CODE, first, NOP);
        machine.place(CODE, &[first, NOP]);
        for number in REGISTERS.into_iter().filter(|number| said.reads.contains(*number as u8)) {
            let shows = (0..16).any(|bit| {
                let mask = match number {
                    RAMPZ => 1,
                    SP => 1 << bit,
                    _ => 1 << (bit % 8),
                };
                let change = |state: &mut State| state.registers[number] ^= mask;
                shows_reading(&mut machine, &mut random, &said, change)
            });
            if !shows {
                without.push((first, number));
            }
        }
        for bit in (0..8).filter(|bit| said.flags_read >> bit & 1 != 0) {
            let change = |state: &mut State| state.flags ^= 1 << bit;
            // Z matters only if the result is 0.
            let mut attempts = 0..100;
            let shows = |_| shows_reading(&mut machine, &mut random, &said, change);
            if !attempts.any(shows) {
                without.push((first, 0x100 + bit));
            }
        }
    }
    let has_none = |(first, number): &(u16, usize)| {
        let constant = first >> 4 & 0xF0 | first & 0x0F;
        let to_itself = *number < 32
            && (matches!(first & 0xFC00, 0x2000 | 0x2800 | 0x2C00) || first & 0xFF00 == 0x0100);
        to_itself || first >> 12 == 6 && constant == 0xFF || first >> 12 == 7 && constant == 0
    };
    let unexpected: Vec<_> = without.iter().filter(|it| !has_none(it)).collect();
    assert!(unexpected.is_empty(), "{unexpected:x?}");
}
