// SPDX-License-Identifier: MIT OR Apache-2.0
//! Loops are repeated as often as is said.

use crate::machine::*;
use lichen_analysis::{Graph, Interval, Loops, Rounds, Text, Unknown, Why};
use lichen_image::Image;
use std::collections::BTreeMap;

const INPUTS: u32 = 60;

/// How often the header of each loop begins each time it is entered, by its address.
type Observed = BTreeMap<u32, Interval>;

/// Of the blocks at these addresses, in the order in which they begin.
fn count(observed: &mut Observed, graph: &Graph, loops: &Loops, blocks: &[usize]) {
    for it in &loops.0 {
        let mut round = 0;
        let end = [usize::MAX];
        for block in blocks.iter().chain(&end) {
            round += u64::from(*block == it.header);
            if !it.blocks.contains(block) && round > 0 {
                let rounds = Interval::exactly(std::mem::take(&mut round));
                let header = graph.blocks[it.header].range.start;
                observed
                    .entry(header)
                    .and_modify(|known| *known = known.or(rounds))
                    .or_insert(rounds);
            }
        }
    }
}

/// What is said of a function's loops, those of fewer blocks first, and what is observed.
fn both(
    image: &Image,
    function: &str,
    of_bytes: bool,
) -> Vec<(Result<Interval, Unknown>, Option<Interval>)> {
    let text = Text::of(image);
    let graph = Graph::of(&text, text.symbol(function).expect("there")).expect("whole");
    let loops = Loops::of(&text, &graph).expect("reducible");
    let rounds = Rounds::of(&text, &graph).expect("known");
    let mut observed = Observed::new();
    let mut random = Random(0x7777_1234_5678_9ABD);
    for _ in 0..INPUTS {
        let input = Input::random(&mut random, of_bytes);
        let mut blocks = Vec::new();
        let mut each = |pc| blocks.extend(graph.blocks.iter().position(|it| it.range.start == pc));
        match image.machine() {
            lichen_image::Machine::Arm => {
                Arm::new(image, function, &input).run(|machine| each(machine.pc()))
            }
            lichen_image::Machine::Avr => {
                Avr::new(image, function, &input).run(|machine| each(machine.pc()))
            }
        };
        count(&mut observed, &graph, &loops, &blocks);
    }
    let headers = loops.0.iter().map(|it| graph.blocks[it.header].range.start);
    headers
        .map(|at| (rounds.at(at).expect("reached").clone(), observed.get(&at).copied()))
        .collect()
}

#[test]
fn counted_loops_are_repeated_exactly_as_often_as_is_said() {
    let exactly = Interval::exactly;
    let cases: [(&str, &[Interval]); 9] = [
        ("down", &[exactly(200)]),
        ("up", &[exactly(300)]),
        ("thirds", &[exactly(332)]),
        ("negative", &[exactly(71)]),
        ("delay", &[exactly(2000)]),
        ("bits", &[exactly(8)]),
        ("triangle", &[Interval { least: 1, most: 8 }, exactly(8)]),
        ("calls", &[exactly(7)]),
        ("found", &[Interval { least: 1, most: 12 }]),
    ];
    for machine in ["armv6m", "avr8"] {
        let image = image(&format!("loops.{machine}"));
        for (function, expected) in cases {
            let both = both(&image, function, function == "found");
            let said: Vec<_> = both.iter().map(|(said, _)| said.clone()).collect();
            let expected: Vec<_> = expected.iter().map(|it| Ok(*it)).collect();
            assert_eq!(said, expected, "{machine} {function}");
            for (said, observed) in both {
                assert_eq!(said.ok(), observed, "{machine} {function}");
            }
        }
    }
}

#[test]
fn what_only_a_run_knows_is_not_said() {
    for machine in ["armv6m", "avr8"] {
        let image = image(&format!("loops.{machine}"));
        let whys = |function| -> Vec<_> {
            both(&image, function, false)
                .into_iter()
                .map(|(said, _)| said.map_err(|it| it.why))
                .collect()
        };
        assert_eq!(whys("waits"), [Err(Why::Unlimited), Ok(Interval::exactly(6))], "{machine}");
        let whys_behind = whys("behind");
        assert!(whys_behind.contains(&Ok(Interval::exactly(90))), "{machine} {whys_behind:?}");
        assert!(whys_behind.iter().any(Result::is_err), "{machine} {whys_behind:?}");
        assert_eq!(whys("asked"), [Err(Why::Unlimited)], "{machine}");
    }
}

#[test]
fn no_loop_is_repeated_more_or_less_often_than_is_said() {
    let mut known = 0;
    for machine in ["armv6m", "avr8"] {
        let image = image(machine);
        for (function, of_bytes) in FUNCTIONS {
            for (said, observed) in both(&image, function, of_bytes) {
                let (Ok(said), Some(observed)) = (said, observed) else { continue };
                assert_eq!(said.or(observed), said, "{machine} {function}");
                known += 1;
            }
        }
    }
    assert!(known >= 2, "the bits of a CRC: {known}");
}
