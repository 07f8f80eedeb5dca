// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions take as long on cores as is said.

use crate::machine::*;
use lichen_analysis::{Given, Graph, Interval, Loops, Memory, Text, Times};
use lichen_image::Image;

/// More rounds than any loop has with the inputs of these tests.
const ROUNDS: u64 = 301;
const INPUTS: u32 = 300;

/// How long the division of two numbers may take on ARMv6-M: 32 rounds of at most 6 instructions, with 3 wait states.
const DIVISION: Interval = Interval { least: 10, most: 2_000 };

fn time(image: &Image, function: &str, memory: Memory, rounds: Interval) -> Interval {
    let text = Text::of(image);
    let start = text.symbol(function).expect("there");
    // It jumps into the middle of its loop.
    let divides = ["__udivsi3", "__aeabi_uidivmod"].map(|name| text.symbol(name));
    let calls = |at| divides.contains(&Some(at)).then_some(DIVISION);
    let given = Given { memory, rounds: &|_| Some(rounds), calls: &calls };
    Times::new(&text, given).of(start).expect("known").expect("it returns")
}

/// What functions take with random inputs, least and most.
fn measured<M: Machine>(of_bytes: bool, machine: impl Fn(&Input) -> M) -> Interval {
    let mut random = Random(0x1234_5678_9ABC_DEF1);
    let took = (0..INPUTS)
        .map(|_| Interval::exactly(machine(&Input::random(&mut random, of_bytes)).run(|_| {})));
    took.reduce(Interval::or).expect("some")
}

fn within(inner: Interval, outer: Interval) -> bool {
    outer.contains(inner.least) && outer.contains(inner.most)
}

#[test]
fn thumb_code_takes_as_long_as_is_said_with_any_wait_states() {
    let image = image("armv6m");
    for (function, of_bytes) in FUNCTIONS {
        for (wait_states, cached) in [(0, true), (1, true), (2, true), (1, false), (3, false)] {
            let memory = Memory { wait_states: wait_states.into(), cached, ..Memory::default() };
            let said = time(&image, function, memory, Interval { least: 1, most: ROUNDS });
            let took = measured(of_bytes, |input| {
                Arm::new(&image, function, input).with(wait_states, !cached)
            });
            assert!(within(took, said), "{function}, {wait_states} {cached}: {took:?}, {said:?}");
        }
    }
}

#[test]
fn avr_code_takes_as_long_as_is_said() {
    let image = image("avr8");
    for (function, of_bytes) in FUNCTIONS {
        let rounds = Interval { least: 1, most: ROUNDS };
        let said = time(&image, function, Memory::default(), rounds);
        let took = measured(of_bytes, |input| Avr::new(&image, function, input));
        assert!(within(took, said), "{function}: {took:?}, {said:?}");
    }
}

#[test]
fn without_loops_and_wait_states_the_bounds_are_reached() {
    for name in ["armv6m", "avr8"] {
        let image = image(name);
        let said = time(&image, "least", Memory::default(), Interval::ZERO);
        let mut random = Random(7);
        let took = (0..INPUTS).map(|_| {
            let input = Input::random(&mut random, false);
            match name {
                "avr8" => Avr::new(&image, "least", &input).run(|_| {}),
                _ => Arm::new(&image, "least", &input).run(|_| {}),
            }
        });
        assert_eq!(took.map(Interval::exactly).reduce(Interval::or), Some(said), "{name}");
    }
}

/// How long the blocks take that are executed, as is said and as was measured.
fn on_its_way<M: Machine>(
    image: &Image,
    function: &str,
    memory: Memory,
    mut machine: M,
) -> (Interval, u64) {
    let text = Text::of(image);
    let graph = Graph::of(&text, text.symbol(function).expect("there")).expect("whole");
    let mut blocks = Vec::new();
    let took = machine.run(|machine| {
        let pc = machine.pc();
        let begins = graph.blocks.iter().position(|block| block.range.start == pc);
        blocks.extend(begins);
    });
    let given = Given { memory, rounds: &|_| None, calls: &|_| None };
    (Times::new(&text, given).path(&graph, &blocks).expect("known"), took)
}

#[test]
fn a_way_takes_exactly_as_long_where_every_fetch_waits() {
    let image = image("armv6m");
    let mut random = Random(11);
    for wait_states in [0, 1, 3] {
        for function in ["least", "gcd"].repeat(20) {
            let memory = Memory { wait_states: wait_states.into(), ..Memory::default() };
            let input = Input::random(&mut random, false);
            let machine = Arm::new(&image, function, &input).with(wait_states, true);
            let (said, took) = on_its_way(&image, function, memory, machine);
            // Its last instruction might contend with what it returns to.
            assert!(said.most - took <= 1, "{function} {wait_states}: {took}, {said:?}");
        }
    }
}

#[test]
fn a_way_without_loops_takes_as_long_as_is_said_if_no_line_is_held() {
    let image = image("armv6m");
    let mut random = Random(13);
    for _ in 0..20 {
        let memory = Memory { wait_states: 2, cached: true, ..Memory::default() };
        let input = Input::random(&mut random, false);
        let machine = Arm::new(&image, "least", &input).with(2, false);
        let (said, took) = on_its_way(&image, "least", memory, machine);
        assert!(said.most - took <= 1, "{took}, {said:?}");
    }
}

#[test]
fn a_way_through_avr_code_takes_exactly_as_long() {
    let image = image("avr8");
    let mut random = Random(17);
    for (function, of_bytes) in [("least", false), ("gcd", false), ("sort", true), ("crc", true)] {
        for _ in 0..20 {
            let machine = Avr::new(&image, function, &Input::random(&mut random, of_bytes));
            let (said, took) = on_its_way(&image, function, Memory::default(), machine);
            assert_eq!(said, Interval::exactly(took), "{function}");
        }
    }
}

#[test]
fn a_loop_with_exact_rounds_takes_exactly_as_long() {
    let image = image("avr8");
    let text = Text::of(&image);
    let start = text.symbol("smallest").expect("there");
    let graph = Graph::of(&text, start).expect("whole");
    let loops = Loops::of(&text, &graph).expect("reducible");
    assert_eq!(loops.0.len(), 1);
    for count in [1, 5, BYTES as u16] {
        // The end of the loop is tested once more than there are bytes.
        let rounds = Interval::exactly(u64::from(count) + 1);
        let said = time(&image, "smallest", Memory::default(), rounds);
        let mut random = Random(9);
        for _ in 0..20 {
            let input = Input { count, ..Input::random(&mut random, true) };
            let took = Avr::new(&image, "smallest", &input).run(|_| {});
            assert!(
                said.contains(took) && said.most - said.least <= 2 * u64::from(count),
                "{said:?} {took}"
            );
        }
    }
}
