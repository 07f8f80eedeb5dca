// SPDX-License-Identifier: MIT OR Apache-2.0
//! What code in flash waits for: lines, literals, what the core fetches ahead. Code starts at 0x100,
//! the beginning of a line, whose place is the first of eight.

use crate::machine::*;
use lichen_isa::armv6m::RAM_BASE;

const LINE: u64 = 1;

/// A machine with one wait state.
fn cached(code: &[u16]) -> Machine {
    let mut machine = Machine::new(code);
    machine.wait_states(LINE as u32);
    machine
}

/// The same without the cache.
fn uncached(code: &[u16]) -> Machine {
    let mut machine = Machine::new(code);
    machine.wait_states_uncached(1);
    machine
}

/// A branch from `from` to `to`.
fn branch(from: u32, to: u32) -> u16 {
    let halfwords = (to as i32 - (from as i32 + 4)) / 2;
    0xE000 | (halfwords as u16 & 0x7FF)
}

/// LDR R0 from a literal at `literal`, for code at `at`.
fn load_literal(at: u32, literal: u32) -> u16 {
    0x4800 | ((literal - ((at + 4) & !3)) / 4) as u16
}

/// Code at [`START`] whose last instruction, behind `nops`, branches back.
fn round_of(nops: u32) -> Vec<u16> {
    let mut code = vec![NOP; nops as usize];
    code.push(branch(START + 2 * nops, START));
    code
}

/// Cycles of a second round of `count` instructions.
fn second_round(mut machine: Machine, count: u32) -> u64 {
    machine.cycles_of(count);
    machine.cycles_of(count)
}

#[test]
fn without_wait_states_flash_costs_nothing() {
    let mut machine = Machine::new(&[NOP; 32]);
    assert_eq!(machine.cycles_of(8), 8);
    machine.wait_states_uncached(0);
    assert_eq!(machine.cycles_of(8), 8);
    let mut machine = Machine::new(&[load_literal(START, 0x140), NOP, NOP, NOP]);
    assert_eq!(machine.cycles_of(4), 2 + 3);
}

#[test]
fn straight_code_pays_once_per_line() {
    assert_eq!(cached(&[NOP; 32]).cycles_of(15), 15 + 4 * LINE);
    let mut slow = Machine::new(&[NOP; 32]);
    slow.wait_states(3);
    assert_eq!(slow.cycles_of(15), 15 + 4 * 3);
}

#[test]
fn the_next_line_arrives_with_the_last_halfword_of_a_line() {
    let mut machine = cached(&[NOP; 8]);
    assert_eq!(machine.cycles_of(3), 3 + LINE);
    assert_eq!(machine.cycles_of(1), 1 + LINE);
    assert_eq!(machine.cycles_of(3), 3);
    assert_eq!(machine.cycles_of(1), 1 + LINE);
}

#[test]
fn a_loop_in_eight_lines_pays_once() {
    // It ends with the first halfword of a word, so that nothing is fetched behind it.
    let mut machine = cached(&round_of(30));
    assert_eq!(machine.cycles_of(31), 30 + 2 + 8 * LINE);
    assert_eq!(machine.cycles_of(31), 30 + 2);
}

#[test]
fn a_loop_in_nine_lines_pays_for_the_two_at_one_place() {
    assert_eq!(second_round(cached(&round_of(34)), 35), 34 + 2 + 2 * LINE);
}

#[test]
fn lines_64_bytes_apart_evict_each_other() {
    let round_by = |other: u32| {
        let mut machine = cached(&[branch(START, other)]);
        machine.place(other, &[branch(other, START)]);
        second_round(machine, 2)
    };
    assert_eq!(round_by(START + 56), 4);
    assert_eq!(round_by(START + 64), 4 + 2 * LINE);
    assert_eq!(round_by(START + 72), 4);
    assert_eq!(round_by(START + 128), 4 + 2 * LINE);
}

#[test]
fn a_taken_branch_in_the_last_halfword_of_a_line_fetches_the_next_line() {
    assert_eq!(cached(&round_of(2)).cycles_of(3), 2 + 2 + LINE);
    assert_eq!(cached(&round_of(3)).cycles_of(4), 3 + 2 + 2 * LINE);
    // The line that is fetched in vain, at 0x108, takes the place of the one at 0x148.
    let mut machine = cached(&[NOP, NOP, NOP, branch(START + 6, 0x148)]);
    machine.place(0x148, &[branch(0x148, START)]);
    assert_eq!(second_round(machine, 5), 3 + 2 + 2 + 2 * LINE);
}

#[test]
fn a_branch_to_the_last_halfword_of_a_line_takes_two_lines() {
    let mut machine = cached(&[branch(START, 0x116)]);
    machine.place(0x116, &[NOP, NOP]);
    assert_eq!(machine.cycles_of(1), 2 + LINE);
    assert_eq!(machine.cycles_of(2), 1 + 2 * LINE + 1);
}

#[test]
fn a_literal_in_a_held_line_is_free() {
    let mut same = cached(&[load_literal(START, START + 4), NOP, NOP]);
    assert_eq!(same.cycles_of(3), 2 + 2 + LINE);
    let again = cached(&[load_literal(START, 0x130), NOP, branch(START + 4, START)]);
    assert_eq!(second_round(again, 3), 2 + 1 + 2);
}

#[test]
fn a_literal_takes_the_place_of_a_line() {
    let code = [load_literal(START, 0x140), NOP, branch(START + 4, START)];
    // The line of the code returns with its second word.
    assert_eq!(cached(&code).cycles_of(1), 2 + 2 * LINE);
    assert_eq!(second_round(cached(&code), 3), (2 + LINE) + (1 + LINE) + 2);
}

#[test]
fn the_core_keeps_the_word_it_has_fetched_over_an_eviction() {
    // The word at 0x104 arrives before the literal evicts its line, which is not needed again.
    let code = [NOP, load_literal(START + 2, 0x140), NOP, branch(START + 6, 0x118)];
    let mut kept = cached(&code);
    assert_eq!(kept.cycles_of(2), 1 + LINE + 2 + LINE);
    assert_eq!(kept.cycles_of(1), 1);
    assert_eq!(kept.cycles_of(1), 2 + LINE);
}

#[test]
fn data_read_by_address_takes_lines_too() {
    let code = [LOAD, NOP, branch(START + 4, START)];
    let mut machine = cached(&code);
    machine.core.set_register(0, 0x140);
    assert_eq!(second_round(machine, 3), (2 + LINE) + (1 + LINE) + 2);
}

#[test]
fn a_load_of_several_words_takes_lines_too() {
    // ldmia r0, {r0}: the literal is its own address.
    let mut machine = cached(&[0xC801, NOP, branch(START + 4, START)]);
    machine.place(0x140, &[0x140, 0]);
    machine.core.set_register(0, 0x140);
    assert_eq!(second_round(machine, 3), (2 + LINE) + (1 + LINE) + 2);
}

#[test]
fn accesses_to_ram_and_devices_leave_lines_alone() {
    for address in [RAM_BASE, DEVICE] {
        let mut machine = cached(&[LOAD, STORE, LOAD, NOP]);
        machine.core.set_register(0, address);
        assert_eq!(machine.cycles_of(3), 3 * 2 + LINE);
    }
}

#[test]
fn a_branch_back_into_the_line_before_pays_for_it() {
    let mut machine = cached(&[branch(START, 0x120)]);
    machine.place(0x118, &[NOP, NOP, NOP, NOP, branch(0x120, 0x11C)]);
    assert_eq!(machine.cycles_of(2), 2 + 2 + 2 * LINE);
    assert_eq!(machine.cycles_of(1), 1 + LINE);
}

#[test]
fn a_return_from_an_exception_fetches_anew() {
    // The interrupted code lies in the word of the handler.
    let home = handler(IRQ0);
    let mut machine = uncached(&[]);
    machine.enable(0, 1);
    machine.place(home, &[BX_LR, NOP, NOP]);
    machine.core.set_register(PC, home + 2);
    machine.bus.lines = 1;
    machine.step();
    machine.bus.lines = 0;
    machine.step();
    assert_eq!(machine.pc(), home + 2);
    assert_eq!(machine.cycles_of(1), 1 + 2);
}

#[test]
fn both_halves_of_a_call_are_fetched() {
    // bl 0x200: its second half lies in the next line, or is the last of its line.
    for (nops, call) in [(3, [0xF000, 0xF87B]), (2, [0xF000, 0xF87C])] {
        let mut code = vec![NOP; nops];
        code.extend(call);
        let mut machine = cached(&code);
        assert_eq!(machine.cycles_of(nops as u32 + 1), nops as u64 + 3 + 2 * LINE);
        assert_eq!(machine.pc(), 0x200);
    }
}

#[test]
fn without_the_cache_every_word_pays() {
    assert_eq!(uncached(&[NOP; 32]).cycles_of(15), 15 + 8);
    // The word behind the second half of another is fetched with it.
    assert_eq!(uncached(&[NOP; 32]).cycles_of(16), 16 + 9);
    // The word of the branch is fetched ahead, the target anew.
    assert_eq!(second_round(uncached(&round_of(2)), 3), 2 + 2 + 2);
    let code = [load_literal(START, 0x130), NOP, branch(START + 4, START)];
    assert_eq!(second_round(uncached(&code), 3), (2 + 2) + (1 + 1) + 2);
}

#[test]
fn without_the_cache_accesses_leave_the_fetched_word_alone() {
    let mut machine = uncached(&[NOP, STORE, NOP, NOP]);
    machine.core.set_register(0, DEVICE);
    assert_eq!([0; 4].map(|_| machine.cycles_of(1)), [1 + 1, 2 + 1, 1, 1 + 1]);
}

#[test]
fn other_timing_and_other_contents_drop_what_is_held() {
    let mut machine = cached(&round_of(2));
    machine.cycles_of(3);
    assert_eq!(machine.cycles_of(3), 4);
    machine.memory.invalidate_lines();
    assert_eq!(machine.cycles_of(3), 4 + LINE);
    machine.wait_states(2);
    assert_eq!(machine.cycles_of(3), 4 + 2);
    machine.memory.write(0x400, &[0]).expect("in flash");
    assert_eq!(machine.cycles_of(3), 4 + 2);
}

#[test]
fn code_in_ram_has_no_wait_states() {
    let mut machine = Machine::new(&[]);
    machine.wait_states(3);
    machine.place(RAM_BASE, &[NOP; 16]);
    machine.core.set_register(PC, RAM_BASE);
    assert_eq!(machine.cycles_of(16), 16);
}

/// The word in RAM that [`LOAD`] reads: its own address, so that it can be read again.
const OWN: u32 = RAM_BASE + 0x100;
/// Where [`contending`] branches back to, in R2.
const BACK: u16 = 0x4710; // bx r2

/// A machine with all lines held, about to execute the instruction at `from`, a branch in `code` that
/// leads to `behind` at `to`.
fn contending(code: &[u16], from: u32, to: u32, behind: &[u16], wait_states: u32) -> Machine {
    let mut machine = Machine::new(code);
    machine.place(to, behind);
    machine.wait_states(wait_states);
    machine.memory.write(OWN, &OWN.to_le_bytes()).expect("in RAM");
    for (register, value) in [(0, OWN), (2, from | 1), (3, to | 1), (PC, from), (XPSR, 1 << 30)] {
        machine.core.set_register(register, value);
    }
    machine.cycles_of(4);
    machine
}

#[test]
fn a_branch_from_a_second_half_to_another_before_an_access_takes_a_cycle_more() {
    let cycles = |from: u32, to: u32, behind: &[u16]| {
        let code: Vec<u16> = (START..=from).step_by(2).map(|at| branch(at, to)).collect();
        contending(&code, from, to, behind, 1).cycles_of(1)
    };
    assert_eq!(cycles(0x102, 0x11A, &[NOP, LOAD, BACK]), 2 + 1);
    assert_eq!(cycles(0x102, 0x11A, &[NOP, STORE, BACK]), 2 + 1);
    assert_eq!(cycles(0x104, 0x11A, &[NOP, LOAD, BACK]), 2, "from a first half");
    assert_eq!(cycles(0x102, 0x118, &[NOP, LOAD, BACK]), 2, "to a first half");
    assert_eq!(cycles(0x102, 0x11A, &[NOP, NOP, BACK]), 2, "no access");
    assert_eq!(cycles(0x102, 0x11A, &[LOAD, NOP, BACK]), 2, "an access at the target itself");
    // DSB, whose second half looks like a store.
    assert_eq!(cycles(0x102, 0x11A, &[0xF3BF, 0x8F4F, NOP, BACK]), 2, "a second half");
}

#[test]
fn each_kind_of_branch_contends_with_the_access_behind_its_target() {
    // beq, b, bx r3, blx r3, mov pc r3
    for instruction in [0xD008, 0xE008, 0x4718, 0x4798, 0x469F] {
        let cycles = |wait_states| {
            contending(&[NOP, instruction], START + 2, 0x116, &[NOP, LOAD, BACK], wait_states)
                .cycles_of(1)
        };
        assert_eq!((cycles(0), cycles(1)), (2, 2 + 1), "{instruction:#x}");
    }
    // BL to 0x116: its second half branches.
    let mut call = contending(&[0xF000, 0xF809], START, 0x116, &[NOP, LOAD, BACK], 1);
    assert_eq!(call.cycles_of(1), 3 + 1);
}

#[test]
fn a_return_by_pop_contends_with_the_access_behind_its_target() {
    let mut machine = cached(&[NOP, 0xBD00]); // pop {pc}
    machine.place(0x116, &[NOP, LOAD]);
    machine.memory.write(OWN, &0x117_u32.to_le_bytes()).expect("in RAM");
    machine.core.set_register(SP, OWN);
    machine.cycles_of(1);
    assert_eq!(machine.cycles_of(1), 4 + 1);
}

#[test]
fn a_branch_from_ram_contends_with_nothing() {
    let cycles = |from: u32| {
        let mut machine = cached(&[]);
        machine.place(from, &[0x4718]); // bx r3
        machine.place(0x11A, &[NOP, LOAD, BACK]);
        machine.memory.write(OWN, &OWN.to_le_bytes()).expect("in RAM");
        for (register, value) in [(0, OWN), (2, from | 1), (3, 0x11B), (PC, from)] {
            machine.core.set_register(register, value);
        }
        machine.cycles_of(4);
        machine.cycles_of(1)
    };
    assert_eq!((cycles(START + 2), cycles(RAM_BASE + 2)), (2 + 1, 2));
}
