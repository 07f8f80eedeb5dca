// SPDX-License-Identifier: MIT OR Apache-2.0
//! What `instruction` says of an encoding is what the core does: every encoding of 16 bits, and those of
//! 32 bits, each in several states of the registers.
//!
//! Each state is executed twice, the second time with other values in all registers and flags that the
//! instruction is not said to read: nothing else may differ then.

use super::machine::*;
use super::program::Random;
use lichen_isa::armv6m::{Core, FaultKind, Options, Stop, instruction};
use lichen_isa::{Flow, Instruction, Place, System, Width};

/// States for each encoding.
const STATES: u32 = 4;
/// Where the instruction lies.
const CODE: u32 = 0x900;
/// Flags, as bits of xPSR.
const FLAGS: u32 = 0xF << 28;

/// Registers r0 to r14 and flags, before or after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct State {
    registers: [u32; 15],
    flags: u32,
}

/// What an execution did.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    after: State,
    pc: u32,
    cycles: u64,
    /// Address, width and direction of each access to a device.
    accesses: Vec<(u32, Width, Option<u32>)>,
    fault: Option<FaultKind>,
}

/// Addresses of a device, small numbers and any numbers, so that accesses rarely fault.
fn value(random: &mut Random) -> u32 {
    match random.below(5) {
        0..=2 => DEVICE + 0x400 + 4 * random.below(64) as u32,
        3 => 4 * random.below(32) as u32,
        _ => random.next() as u32,
    }
}

fn state(random: &mut Random) -> State {
    let mut registers = std::array::from_fn(|_| value(random));
    registers[SP] = DEVICE + 0x800;
    State { registers, flags: random.next() as u32 & FLAGS }
}

/// The same, with other values where the instruction is said not to read.
fn other(state: &State, said: &Instruction, random: &mut Random) -> State {
    let mut other = *state;
    for (register, value) in other.registers.iter_mut().enumerate() {
        if !said.reads.contains(register as u8) {
            *value ^= 0x40 << random.below(4);
        }
    }
    other.flags ^= FLAGS & !said.flags_read;
    other
}

fn machine(random: &mut Random) -> Machine {
    let mut machine = Machine::new(&[]);
    for at in (CODE - 0x400..0x2000).step_by(2) {
        machine.place(at, &[random.next() as u16]);
    }
    machine
}

fn execute(machine: &mut Machine, code: [u16; 2], state: &State) -> Done {
    machine.core = Core::new(Options::default());
    machine.core.reset(&machine.memory);
    machine.bus.accesses.clear();
    for (register, value) in state.registers.iter().enumerate() {
        machine.core.set_register(register, *value);
    }
    machine.core.set_register(PC, CODE);
    machine.core.set_register(XPSR, state.flags);
    debug_assert_eq!(machine.memory.read(CODE, Width::Half), Some(code[0].into()));
    machine.step();
    let accesses = machine.bus.accesses.iter().map(|a| (a.address, a.width, a.written)).collect();
    let registers = std::array::from_fn(|register| machine.core.register(register));
    Done {
        after: State { registers, flags: machine.core.register(XPSR) & FLAGS },
        pc: machine.pc(),
        cycles: machine.now(),
        accesses,
        fault: machine.core.first_fault().map(|fault| fault.kind),
    }
}

/// Executes an encoding in a random state; whether it did not fault.
fn agrees(machine: &mut Machine, random: &mut Random, code: [u16; 2]) -> bool {
    let said = instruction(CODE, code[0], Some(code[1]));
    let before = state(random);
    let done = execute(machine, code, &before);
    let what = format!("{:04x} {:04x}, {said:?}, {before:x?}, {done:x?}", code[0], code[1]);
    assert_eq!(said.flow == Flow::Undefined, done.fault == Some(FaultKind::Undefined), "{what}");
    assert_eq!(said.flow == Flow::Breakpoint, done.fault == Some(FaultKind::Breakpoint), "{what}");
    if done.fault.is_some() {
        return false;
    }
    goes_where_it_says(&said, &before, &done, &what);
    changes_what_it_says(&said, &before, &done, &what);
    accesses_what_it_says(machine, &said, &before, &done, &what);
    does_to_the_processor_what_it_says(machine, &said, &what);
    let other = other(&before, &said, random);
    let again = execute(machine, code, &other);
    reads_what_it_says(&said, (&before, &done), (&other, &again), &what);
    true
}

fn goes_where_it_says(said: &Instruction, before: &State, done: &Done, what: &str) {
    let next = CODE + said.bytes;
    let cycles = if done.pc == next { said.cycles.next } else { said.cycles.taken };
    match said.flow {
        Flow::Next => assert_eq!(done.pc, next, "{what}"),
        // The entry of its exception begins at once.
        Flow::Service => return assert_eq!(done.pc, next, "{what}"),
        Flow::Branch(to) => assert_eq!(done.pc, to, "{what}"),
        // A branch to the next instruction may be taken.
        Flow::BranchIf(to) if to == next => return assert_eq!(done.pc, next, "{what}"),
        Flow::BranchIf(to) => assert!(done.pc == to || done.pc == next, "{what}"),
        Flow::Call(to) => assert_eq!((done.pc, done.after.registers[LR]), (to, next | 1), "{what}"),
        Flow::IndirectCall => assert_eq!(done.after.registers[LR], next | 1, "{what}"),
        Flow::Return if said.access.is_none() => {
            assert_eq!(done.pc, before.registers[LR] & !1, "{what}");
        }
        Flow::Return | Flow::Indirect => {}
        Flow::Undefined | Flow::Breakpoint => panic!("no fault: {what}"),
    }
    // An indirect branch may lead to the next instruction.
    if !matches!(said.flow, Flow::Indirect | Flow::IndirectCall | Flow::Return) || done.pc != next {
        assert_eq!(done.cycles, u64::from(cycles), "{what}");
    }
}

fn changes_what_it_says(said: &Instruction, before: &State, done: &Done, what: &str) {
    for register in (0..15).filter(|register| !said.writes.contains(*register as u8)) {
        let (was, is) = (before.registers[register], done.after.registers[register]);
        assert_eq!(is, was, "r{register} changes: {what}");
    }
    let kept = FLAGS & !said.flags_written;
    assert_eq!(done.after.flags & kept, before.flags & kept, "flags change: {what}");
}

fn accesses_what_it_says(
    machine: &Machine,
    said: &Instruction,
    before: &State,
    done: &Done,
    what: &str,
) {
    let Some(access) = said.access else { return assert_eq!(done.accesses, [], "{what}") };
    let address = access.address(|register| before.registers[usize::from(register)]);
    if let Place::Fixed(address) = access.place {
        let literal = machine.memory.read(address, access.width);
        let loaded = (0..8).any(|register| {
            said.writes.contains(register)
                && Some(done.after.registers[usize::from(register)]) == literal
        });
        return assert!(loaded, "{what}");
    }
    if !(DEVICE..IO_PORT).contains(&address) {
        return;
    }
    let expected = (0..access.count).map(|unit| address + unit * access.width.bytes());
    let expected: Vec<_> = expected.map(|at| (at, access.width, access.write)).collect();
    let made = done.accesses.iter().map(|(at, width, written)| (*at, *width, written.is_some()));
    assert_eq!(made.collect::<Vec<_>>(), expected, "{what}");
}

fn does_to_the_processor_what_it_says(machine: &mut Machine, said: &Instruction, what: &str) {
    let is_masked = machine.core.register(PRIMASK) != 0;
    assert!(!is_masked || matches!(said.system, Some(System::Mask | System::Register)), "{what}");
    let waits = matches!(machine.step(), Stop::Sleep { .. });
    assert_eq!(waits, said.system == Some(System::Wait), "{what}");
}

/// Two states that differ in what is not read lead to the same.
fn reads_what_it_says(said: &Instruction, a: (&State, &Done), b: (&State, &Done), what: &str) {
    let ((before, done), (other, again)) = (a, b);
    assert_eq!((done.pc, done.cycles), (again.pc, again.cycles), "{what}");
    assert_eq!(done.accesses, again.accesses, "{what}");
    assert_eq!(done.fault, again.fault, "{what}");
    for register in (0..15).filter(|register| said.writes.contains(*register as u8)) {
        let (one, two) = (done.after.registers[register], again.after.registers[register]);
        // MSR may write the stack pointer that is not in use.
        let kept = one == before.registers[register] && two == other.registers[register];
        if register == SP && said.system.is_some() && kept {
            continue;
        }
        assert_eq!(one, two, "r{register} depends on more: {what}");
    }
    let differ = (done.after.flags ^ again.after.flags) & said.flags_written;
    assert_eq!(differ, 0, "flags depend on more: {what}");
}

/// Whether any of the states of an encoding is without a fault.
fn agrees_somewhere(machine: &mut Machine, random: &mut Random, code: [u16; 2]) -> bool {
    machine.place(CODE, &code);
    (0..STATES).filter(|_| agrees(machine, random, code)).count() > 0
}

#[test]
fn a_description_is_what_the_core_does() {
    let mut random = Random(11);
    let mut machine = machine(&mut random);
    let mut executed = 0;
    for first in 0..0xE800 {
        executed += u32::from(agrees_somewhere(&mut machine, &mut random, [first, NOP]));
    }
    // The others are undefined, or fault in each of the states.
    assert!(executed > 55_000, "only {executed} were executed");
}

#[test]
fn the_description_of_a_long_encoding_is_what_the_core_does() {
    let mut random = Random(12);
    let mut machine = machine(&mut random);
    for first in 0xE800..=0xFFFF {
        for second in [0x0000, 0x8000, 0xD000, 0xF800, 0xFFFF] {
            agrees_somewhere(&mut machine, &mut random, [first, second]);
        }
    }
    // Special registers of all numbers, from and to each register; barriers.
    for special in 0..=0xFF {
        for register in (0..13).chain([14]) {
            let moves =
                [[0xF3EF, 0x8000 | register << 8 | special], [0xF380 | register, 0x8800 | special]];
            for code in moves {
                assert!(agrees_somewhere(&mut machine, &mut random, code), "{code:04x?}");
            }
        }
        agrees_somewhere(&mut machine, &mut random, [0xF3BF, 0x8F00 | special]);
    }
}

#[test]
fn every_long_encoding_is_a_call_or_is_described_as_the_manual_says() {
    // ARMv6-M Architecture Reference Manual, A5.3: BL, MSR, MRS, barriers; the rest is undefined.
    for first in 0xE800..=0xFFFFu16 {
        // The second half decides only behind this.
        let every = if first >> 11 == 0b11110 { 1 } else { 0x101 };
        for second in (0..=0xFFFFu16).step_by(every) {
            let said = instruction(CODE, first, Some(second));
            assert_eq!(said.bytes, 4);
            let branch = first >> 11 == 0b11110 && second & 0xD000 == 0xD000;
            let control = first >> 11 == 0b11110 && second & 0xD000 == 0x8000;
            let flow = match first >> 4 & 0x7F {
                _ if branch => Flow::Call(call_target(first, second)),
                0b0111000 | 0b0111001 | 0b0111110 | 0b0111111 if control => Flow::Next,
                0b0111011 if control && (4..=6).contains(&(second >> 4 & 15)) => Flow::Next,
                _ => Flow::Undefined,
            };
            assert_eq!(said.flow, flow, "{first:04x} {second:04x}");
            assert_eq!(said.system.is_some(), flow == Flow::Next, "{first:04x} {second:04x}");
        }
    }
    assert_eq!(instruction(CODE, 0xF000, None).flow, Flow::Undefined, "its second half is missing");
}

/// Target of BL at [`CODE`] (A6.7.13): `SignExtend(S:I1:I2:imm10:imm11:'0')`.
fn call_target(first: u16, second: u16) -> u32 {
    let bit = |half: u16, at: u32| i32::from(half >> at & 1);
    let sign = bit(first, 10);
    let offset = -sign << 24
        | (bit(second, 13) ^ sign ^ 1) << 23
        | (bit(second, 11) ^ sign ^ 1) << 22
        | i32::from(first & 0x3FF) << 12
        | i32::from(second & 0x7FF) << 1;
    (CODE + 4).wrapping_add_signed(offset)
}

/// Whether any state shows that the instruction reads `register`.
fn shows_reading(
    machine: &mut Machine,
    random: &mut Random,
    code: [u16; 2],
    register: usize,
) -> bool {
    (0..100).any(|_| {
        let before = state(random);
        let mut other = before;
        other.registers[register] = match random.below(3) {
            0 => random.next() as u32,
            1 => before.registers[register] ^ 1 << random.below(32),
            _ => random.below(40) as u32,
        };
        let (done, again) = (execute(machine, code, &before), execute(machine, code, &other));
        let kept = |register: usize| {
            done.after.registers[register] == before.registers[register]
                && again.after.registers[register] == other.registers[register]
        };
        let differs =
            |register: usize| done.after.registers[register] != again.after.registers[register];
        (0..15).any(|r| differs(r) && !kept(r))
            || done.after.flags != again.after.flags
            || done.pc != again.pc
            || done.accesses != again.accesses
            || done.fault != again.fault
    })
}

#[test]
fn what_is_read_has_an_influence() {
    let mut random = Random(13);
    let mut machine = machine(&mut random);
    let mut without = Vec::new();
    for first in 0..0xE800 {
        let said = instruction(CODE, first, None);
        machine.place(CODE, &[first, NOP]);
        for register in (0..15).filter(|register| said.reads.contains(*register as u8)) {
            if !shows_reading(&mut machine, &mut random, [first, NOP], register) {
                without.push((first, register));
            }
        }
    }
    // A register with itself (`subs r0, r1, r1`, `mov r8, r8`) and empty lists have none; a few stores
    // to the device show none by chance.
    assert!(without.len() < 160, "{}: {without:x?}", without.len());
}
