// SPDX-License-Identifier: MIT OR Apache-2.0
//! What does not matter is changed before every instruction, and nothing else changes.

use crate::machine::*;
use lichen_analysis::{Alive, Graph, Liveness, Text};
use lichen_image::Image;
use lichen_isa::RegisterSet;
use std::collections::BTreeMap;

/// Registers that are not part of the processor's state, and that no function may use.
struct Spared {
    registers: usize,
    status: usize,
    flags: u32,
}

const ARM: Spared = Spared { registers: 15, status: 16, flags: 0xF000_0000 };
const AVR: Spared = Spared { registers: 32, status: lichen_isa::avr8::SREG, flags: 0x7F };

/// What matters before each instruction of all functions.
fn alive(image: &Image) -> BTreeMap<u32, Alive> {
    let text = Text::of(image);
    let mut all: BTreeMap<u32, Alive> = BTreeMap::new();
    for start in text.beginnings().filter(|start| text.around(*start).is_some()) {
        let Ok(graph) = Graph::of(&text, start) else { continue };
        let liveness = Liveness::of(&text, &graph);
        for (at, _) in (0..graph.blocks.len()).flat_map(|block| graph.instructions(block)) {
            let now = liveness.before(at);
            let known = all.entry(at).or_default();
            known.registers = known.registers.with(now.registers);
            known.flags |= now.flags;
        }
    }
    all
}

/// Changes what does not matter; returns how much that was.
fn spoil<M: Machine>(
    machine: &mut M,
    alive: &BTreeMap<u32, Alive>,
    spared: &Spared,
    random: &mut Random,
) -> u32 {
    let Some(now) = alive.get(&machine.pc()) else { return 0 };
    let dead = (0..spared.registers).filter(|it| !now.registers.contains(*it as u8));
    let mut count = 0;
    for register in dead {
        machine.set(register, random.next());
        count += 1;
    }
    let flags = spared.flags & !now.flags;
    let status = machine.number(spared.status);
    machine.set(spared.status, status & !flags | random.next() & flags);
    count + flags.count_ones()
}

fn check<M: Machine>(
    image: &Image,
    spared: &Spared,
    machine: impl Fn(&str, &Input) -> M,
) -> BTreeMap<&'static str, u32> {
    let alive = alive(image);
    let mut random = Random(0x00C0_FFEE_1234_5679);
    let mut spoiled = BTreeMap::new();
    for (function, of_bytes) in FUNCTIONS {
        for _ in 0..100 {
            let input = Input::random(&mut random, of_bytes);
            let mut plain = machine(function, &input);
            plain.run(|_| {});
            let mut other = machine(function, &input);
            let mut count = 0;
            other.run(|machine| count += spoil(machine, &alive, spared, &mut random));
            assert_eq!(plain.made(), other.made(), "{function}");
            *spoiled.entry(function).or_default() += count;
        }
    }
    spoiled
}

#[test]
fn what_does_not_matter_in_thumb_code_may_change() {
    let image = image("armv6m");
    let spoiled = check(&image, &ARM, |function, input| Arm::new(&image, function, input));
    assert!(spoiled.values().all(|count| *count > 100), "{spoiled:?}");
}

#[test]
fn what_does_not_matter_in_avr_code_may_change() {
    let image = image("avr8");
    let spoiled = check(&image, &AVR, |function, input| Avr::new(&image, function, input));
    assert!(spoiled.values().all(|count| *count > 100), "{spoiled:?}");
}

#[test]
fn a_register_that_a_function_spares_matters_at_its_end() {
    for name in ["armv6m", "avr8"] {
        let image = image(name);
        let text = Text::of(&image);
        let graph = Graph::of(&text, text.symbol("least").expect("there")).expect("whole");
        let end = graph.blocks.iter().position(|block| block.end.is_some()).expect("an end");
        let alive = Liveness::of(&text, &graph).before(graph.last(end)).registers;
        let written = (0..graph.blocks.len())
            .flat_map(|block| graph.instructions(block))
            .fold(RegisterSet::NONE, |all, (_, it)| all.with(it.writes));
        let all = RegisterSet(if name == "avr8" { 0xFFFF_FFFF } else { 0xFFF });
        assert!(all.without(written).without(alive).is_empty(), "{name}: {alive:?}");
    }
}
